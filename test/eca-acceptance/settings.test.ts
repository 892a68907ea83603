import { withEnvironment } from '../support/environment.js';
import { withPlaces } from '../support/places.js';
import { callShell, contextOf, deeds, hookOf, idOf, preToolCall } from './eca-hooks.js';

const [projectFile, userFile] = ['project/.eca/config.json', 'home/.config/eca/config.json'];
const note = (text: string) => hookOf('preRequest', `echo ${text}`);

test('the files of the workspace and of the user are found, and no switch is needed', async () => {
  await withPlaces(async (places) => {
    const files = [
      places.write(projectFile, { rules: [], hooks: { b: note('project') }, providers: { x: { url: 'u' } } }),
      places.write(userFile, '{ "hooks": { "a": { "type": "preRequest", "actions": [{ "type": "shell", "shell": "echo user" }] } } }'),
    ];
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toEqual([]);
      const found = hooks.files.filter(({ dialect }) => dialect === 'eca');
      expect(found).toMatchObject([
        { file: files[0], source: 'project', state: 'read' },
        { file: files[1], source: 'user', state: 'read' },
      ]);
      const result = await handler.fireBeforeAgentEvent('p');
      // By key, whichever file it stands in.
      expect(result.outcomes.map(({ hookId }) => hookId)).toEqual([idOf('a', 'BeforeAgent', 'user'), idOf('b', 'BeforeAgent', 'project')]);
      expect(contextOf(result)).toBe('user\nproject');
    });
  });
});

test('XDG_CONFIG_HOME is where the file of the user is, in place of ~/.config', async () => {
  await withPlaces(async (places) => {
    places.write(userFile, { hooks: { a: note('home') } });
    places.write('home/elsewhere/eca/config.json', { hooks: { a: note('elsewhere') } });
    const said = () => places.discover(async ({ handler }) => contextOf(await handler.fireBeforeAgentEvent('p')));
    expect(await withEnvironment({ XDG_CONFIG_HOME: places.at('home/elsewhere') }, said)).toBe('elsewhere');
    // A relative one is none, as the specification of that variable says.
    expect(await withEnvironment({ XDG_CONFIG_HOME: 'elsewhere' }, said)).toBe('home');
    expect(await withEnvironment({ XDG_CONFIG_HOME: '' }, said)).toBe('home');
  });
});

test('one key in two files: both hooks run, that of the workspace first, and a warning names both files (decision 62)', async () => {
  await withPlaces(async (places) => {
    const ofProject = places.write(projectFile, { hooks: { guard: preToolCall('true') } });
    const ofUser = places.write(userFile, { hooks: { guard: preToolCall('exit 2') } });
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'repeated_key', severity: 'warning', dialect: 'eca' }]);
      for (const file of [ofProject, ofUser]) expect(JSON.stringify(hooks.diagnostics)).toContain(file);
      const result = await callShell(handler);
      expect(result.outcomes).toMatchObject([
        { hookId: idOf('guard', 'BeforeTool', 'project'), status: 'succeeded' },
        { hookId: idOf('guard', 'BeforeTool', 'user'), status: 'blocked' },
      ]);
    });
  });
});

test('a workspace that is not trusted: its hooks are skipped, and those of the user run', async () => {
  await withPlaces(async (places) => {
    places.write(projectFile, { hooks: { a: preToolCall('touch ran') } });
    places.write(userFile, { hooks: { b: preToolCall('true') } });
    const isTrusted = (source: string) => source !== 'project';
    await places.discover(
      async ({ handler, read }) => {
        expect(deeds(await callShell(handler))).toEqual([
          ['a', 'skipped', 'untrusted'],
          ['b', 'succeeded'],
        ]);
        expect(read('ran')).toBeUndefined();
      },
      { isTrusted },
    );
  });
});

const unknown: [type: string, meant: string][] = [
  ['PreToolUse', 'preToolCall'],
  ['BeforeTool', 'preToolCall'],
  ['pretoolcall', 'preToolCall'],
  ['pre_tool_call', 'preToolCall'],
  ['PostToolUse', 'postToolCall'],
  ['UserPromptSubmit', 'preRequest'],
  ['SessionStart', 'chatStart'],
];

test.each(unknown)('the type %s is a diagnostic whose remedy is %s, and the other hooks run', async (type, meant) => {
  await withPlaces(async (places) => {
    const file = places.write(projectFile, { hooks: { bad: hookOf(type, 'exit 2'), good: preToolCall('true') } });
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([
        { severity: 'error', file, line: 1, path: 'hooks.bad.type', remedy: expect.stringContaining(meant), dialect: 'eca' },
      ]);
      expect((await callShell(handler)).outcomes.at(-1)).toMatchObject({ name: 'good', status: 'succeeded' });
    });
  });
});

test('a hook that is none, or has no type or no actions, is a diagnostic each, and the others run', async () => {
  const shell = [{ type: 'shell', shell: 'exit 2' }];
  await withPlaces(async (places) => {
    places.write(projectFile, {
      hooks: {
        a: 'exit 2',
        b: { actions: shell },
        c: { type: 'preToolCall' },
        d: { type: 'preToolCall', actions: {} },
        e: preToolCall('true'),
      },
    });
    await places.discover(async ({ hooks, handler }) => {
      expect(hooks.diagnostics.map(({ severity, path }) => [severity, path?.split('.').slice(0, 2).join('.')])).toEqual(
        ['a', 'b', 'c', 'd'].map((key) => ['error', `hooks.${key}`]),
      );
      const result = await callShell(handler);
      expect(result.outcomes.filter(({ status }) => status !== 'skipped').map(({ name }) => name)).toEqual(['e']);
    });
  });
});
