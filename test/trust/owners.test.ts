import { chmodSync, chownSync } from 'node:fs';
import { acceptAll, callTool, denying, guard, statesIn, withRepository } from './repository.js';

const onUnix = process.platform === 'win32' ? test.skip : test;
/** Only root may give a file to another user. */
const asRoot = process.geteuid?.() === 0 ? test : test.skip;

const settings = 'project/.claude/settings.json';
const script = 'project/guard.sh';
const stranger = 4711;

onUnix.each([
  ['settings file', settings, 0o666, 0o644],
  ['folder of the settings', 'project/.claude', 0o777, 0o755],
  ['project', 'project', 0o777, 0o755],
])('case 22: the %s may be written by every user', (_, path, mode, usual) =>
  withRepository(async (places, discover) => {
    places.write(settings, guard('touch ran'));
    chmodSync(places.at(path), mode);
    await discover(async (scene) => {
      const [problem, ...others] = scene.hooks.diagnostics;
      expect(others).toEqual([]);
      expect(problem).toMatchObject({ code: 'writable_by_others', severity: 'error', file: places.at(settings), source: 'project' });
      expect(problem?.message).toMatch(`its mode is ${mode.toString(8).padStart(4, '0')}. The settings file is not read.`);
      expect(problem?.remedy).toBe(`Run chmod go-w ${places.at(path)}.`);
      expect(statesIn(scene)).toEqual([]);
      chmodSync(places.at(path), usual);
      await scene.hooks.reload();
      expect(scene.hooks.diagnostics).toEqual([]);
      expect(statesIn(scene)).toEqual(['new']);
      expect(scene.read('ran')).toBeUndefined();
    });
  }),
);

asRoot.each([
  ['settings file', settings],
  ['folder of the settings', 'project/.claude'],
  ['project', 'project'],
])('case 22: the %s belongs to another user', (_, path) =>
  withRepository(async (places, discover) => {
    // The content is not examined, so a mistake in it is not reported.
    places.write(settings, '{ "hooks": [');
    chownSync(places.at(path), stranger, stranger);
    await discover(async ({ hooks }) => {
      expect(hooks.diagnostics.map(({ code }) => code)).toEqual(['foreign_owner']);
      expect(hooks.diagnostics[0]?.remedy).toMatch(`run tenterhook trust --allow-owner ${stranger}`);
    });
    places.write(settings, guard('touch ran'));
    const trust = { mode: 'store', allowOwners: [stranger] } as const;
    await discover(async (scene) => expect(statesIn(scene)).toEqual(['new']), { trust });
  }),
);

asRoot('case 22: an accepted guard whose script another user takes over asks', () =>
  withRepository(async (places, discover) => {
    places.write(settings, guard('./guard.sh'));
    places.write(script, denying('guarded'), 0o755);
    await discover(async (scene) => {
      await acceptAll(scene);
      expect(await callTool(scene)).toEqual({ kind: 'deny', reason: 'guarded' });
      chownSync(places.at(script), stranger, stranger);
      const { kind, reason } = await callTool(scene);
      expect(kind).toBe('ask');
      expect(reason).toMatch('belongs to the user with the uid 4711');
    });
  }),
);

onUnix('a settings file that others may write from now on keeps its last good state', () =>
  withRepository(async (places, discover) => {
    places.write(settings, guard('./guard.sh'));
    places.write(script, denying('guarded'), 0o755);
    await discover(async (scene) => {
      await acceptAll(scene);
      places.write(settings, {}, 0o666);
      await scene.hooks.reload();
      expect(scene.hooks.diagnostics[0]?.message).toMatch('The settings file is not read. Its last good state stays in use.');
      expect((await callTool(scene)).kind).toBe('deny');
    });
  }),
);

onUnix('an extension in the project is refused, and one outside of it is the word of the program', () =>
  withRepository(async (places, discover) => {
    for (const folder of ['project/extension', 'elsewhere'])
      places.write(`${folder}/hooks/hooks.json`, { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo x' }] }] } }, 0o666);
    const extensions = ['project/extension', 'elsewhere'].map((folder) => ({
      name: folder.replace('/', '-'),
      directory: places.at(folder),
    }));
    await discover(
      async ({ hooks }) => {
        expect(hooks.diagnostics.map(({ code, file }) => [code, file])).toContainEqual([
          'writable_by_others',
          places.at('project/extension/hooks/hooks.json'),
        ]);
        expect(hooks.list('BeforeTool').map(({ hook: { source, trust } }) => [source, trust])).toEqual([['plugin:elsewhere', undefined]]);
      },
      { extensions, dialect: 'claude-code' },
    );
  }),
);

onUnix('hooks of the user that every user may write do not run, and guards among them ask', () =>
  withRepository(async (places, discover) => {
    const hook = (command: string, fields = {}) => ({ type: 'command', command, ...fields });
    const group = (...hooks: readonly object[]) => [{ hooks }];
    places.write(
      'home/.claude/settings.json',
      { disableAllHooks: true, hooks: { PreToolUse: group(hook('touch ran')), PostToolUse: group(hook('touch ran')) } },
      0o666,
    );
    await discover(async (scene) => {
      expect(scene.hooks.diagnostics.map(({ code, source }) => [code, source])).toContainEqual(['writable_by_others', 'user']);
      const { kind, reason } = await callTool(scene);
      expect(kind).toBe('ask');
      expect(reason).toMatch(`Run chmod go-w ${places.at('home/.claude/settings.json')}.`);
      const after = await scene.handler.fireAfterToolEvent('run_shell_command', { command: 'ls' }, { output: 'x' });
      expect(after.outcomes.map(({ skipReason }) => skipReason)).toEqual(['untrusted']);
      expect(scene.read('ran')).toBeUndefined();
    });
    await discover(async (scene) => expect((await callTool(scene)).kind).toBe('deny'), { trust: { mode: 'store', onChanged: 'deny' } });
    // A program that asks in its own way, or not at all, checks owners in its own way.
    places.write('home/.claude/settings.json', guard('exit 2'), 0o666);
    await discover(async (scene) => expect((await callTool(scene)).kind).toBe('deny'), { trust: 'all' });
  }),
);
