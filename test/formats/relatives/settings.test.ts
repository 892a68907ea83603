import { says } from '../../support/fire-hooks.js';
import { type Places, withPlaces } from '../../support/places.js';
import { type AgentName, agentNames, creators, failed, group, rowsOf, seen, shell, stop, withAgent } from './agents.js';

const denyingIn = (place: string) => ({ PreToolUse: [group(`echo no >&2; exit 2 # ${place}`)] });
const denying = denyingIn('');
const discovering = (name: AgentName, places: Places) => ({ dialects: [creators[name]({ managedFile: places.at('etc/settings.json') })] });

test.each(
  rowsOf({
    'qwen-code': ['project/.qwen/settings.json', 'home/.qwen/settings.json'],
    factory: [
      'project/.factory/settings.json',
      'project/.factory/hooks.json',
      'project/.factory/settings.local.json',
      'home/.factory/settings.json',
      'home/.factory/hooks.json',
    ],
    codebuddy: ['project/.codebuddy/settings.json', 'project/.codebuddy/settings.local.json', 'home/.codebuddy/settings.json'],
    devin: [
      'project/.devin/config.json',
      'project/.devin/hooks.v1.json',
      'project/.devin/config.local.json',
      'home/.config/devin/config.json',
    ],
    trae: ['project/.trae/hooks.json', 'home/.trae-cn/hooks.json', 'home/.trae/hooks.json'],
    auggie: ['etc/settings.json', 'project/.augment/settings.local.json', 'project/.augment/settings.json', 'home/.augment/settings.json'],
  }),
)('the files of %s are found, and all of their hooks deny', async (name, files) => {
  await withPlaces(async (places) => {
    const isMap = (file: string) => /hooks\.v1\.json|\.factory\/hooks\.json/.test(file);
    for (const file of files) {
      const hooks = denyingIn(file);
      places.write(file, isMap(file) ? { _generated_by: 'a tool', ...hooks } : { ...(name === 'trae' ? { version: 1 } : {}), hooks });
    }
    await places.discover(
      async ({ hooks, handler }) => {
        expect(hooks.diagnostics).toEqual([]);
        const { outcomes } = await handler.fire(...shell);
        expect(hooks.hooks.BeforeTool.map(({ file }) => file)).toEqual(files.map(places.at));
        expect(outcomes.map(({ status }) => status)).toEqual(files.map(() => 'blocked'));
      },
      discovering(name, places),
    );
  });
});

test('XDG_CONFIG_HOME moves the settings of the user of Devin', async () => {
  await withPlaces(
    async (places) => {
      places.write('elsewhere/devin/config.json', { hooks: denying });
      await places.discover(
        async ({ handler }) => expect((await handler.fire(...shell)).verdict.kind).toBe('deny'),
        discovering('devin', places),
      );
    },
    (places) => ({ XDG_CONFIG_HOME: places.at('elsewhere') }),
  );
});

test.each(agentNames)('an unknown event, an unknown type and an empty command of %s are errors, and the other hooks run', async (name) => {
  const hooks = {
    PreToolUse: group([{ type: 'http', url: 'https://example.org' }, { type: 'command', command: '' }, 'echo no >&2; exit 2']),
    PreTolUse: group('true'),
  };
  await withAgent(name, hooks, async ({ hooks: { diagnostics }, handler }) => {
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual(
      expect.arrayContaining([
        ['unknown_event', 'error'],
        ['unknown_type', 'error'],
        ['missing_command', 'error'],
      ]),
    );
    const { outcomes, verdict } = await handler.fire(...shell);
    expect(outcomes.map(({ status, skipReason }) => [status, skipReason])).toEqual([
      ['skipped', 'invalid'],
      ['skipped', 'invalid'],
      ['blocked', undefined],
    ]);
    expect(verdict).toMatchObject({ kind: 'deny', reason: 'no' });
  });
});

test.each(agentNames)('fields of hooks of %s: timeout, onError, recheck and mode are read', async (name) => {
  const isMs = name === 'qwen-code' || name === 'auggie';
  const hook = { type: 'command', command: 'true', timeout: isMs ? 2000 : 2, onError: 'block', recheck: false, mode: 'resident' };
  await withAgent(name, { PreToolUse: [group(hook, { matcher: '*' }), group('true')] }, async ({ hooks: { diagnostics, hooks } }) => {
    expect(diagnostics).toEqual([]);
    const [first, second] = hooks.BeforeTool;
    expect(first).toMatchObject({ timeoutMs: 2000, onError: 'block', recheck: false, action: { mode: 'resident' } });
    expect(second).toMatchObject({ timeoutMs: name === 'trae' ? 30_000 : 60_000, onError: 'continue' });
  });
});

test('Trae: a version that is not read switches the hooks of the file off with an error', async () => {
  await withAgent(
    'trae',
    {},
    async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ severity: 'error', path: 'version' }]);
      expect((await handler.fire(...shell)).outcomes.map(({ skipReason }) => skipReason)).toEqual(['invalid']);
    },
    { settings: { version: 2, hooks: denying } },
  );
});

test('Trae: a group makes the agent continue at most loop_limit times in a row', async () => {
  const block = says({ decision: 'block', reason: 'more' });
  const kinds = (fields: object, count: number) =>
    withAgent('trae', { Stop: group(block, { ...fields }) }, async ({ handler }) => {
      return (await handler.fire(stop[0], { ...stop[1], loop_count: count })).verdict.kind;
    });
  expect([await kinds({}, 4), await kinds({}, 5)]).toEqual(['deny', 'none']);
  expect([await kinds({ loop_limit: 1 }, 0), await kinds({ loop_limit: 1 }, 1)]).toEqual(['deny', 'none']);
  await withAgent('trae', { PreToolUse: group('true', { loop_limit: 1 }), Stop: group('true', { loop_limit: 'x' }) }, async ({ hooks }) => {
    expect(hooks.diagnostics.map(({ code, severity, path }) => [code, severity, path])).toEqual([
      ['invalid_field', 'warning', 'hooks.PreToolUse[0].loop_limit'],
      ['invalid_field', 'error', 'hooks.Stop[0].loop_limit'],
    ]);
  });
});

test('Qwen Code: disableAllHooks switches hooks off, and a value that is not true or false is an error', async () => {
  const deeds = (value: unknown) =>
    withAgent(
      'qwen-code',
      {},
      async ({ hooks, handler }) => {
        const { outcomes } = await handler.fire(...shell);
        return [outcomes.map(({ status }) => status), hooks.diagnostics.map(({ severity }) => severity)];
      },
      { settings: { disableAllHooks: value, hooks: denying } },
    );
  expect(await deeds(false)).toEqual([['blocked'], []]);
  expect((await deeds(true))[0]).toEqual([]);
  expect((await deeds('yes'))[1]).toEqual(['error']);
});

test('Qwen Code: name, description, env, async, shell and statusMessage of a hook are read', async () => {
  const hook = {
    type: 'command',
    name: 'guard',
    description: 'guards',
    command: 'echo "{\\"word\\":\\"$WORD\\"}" > seen.json',
    env: { WORD: 'own' },
    shell: 'bash',
    statusMessage: 'checking',
  };
  await withAgent('qwen-code', { PreToolUse: group([hook, { ...hook, async: true, env: {} }]) }, async (scene) => {
    expect(scene.hooks.diagnostics).toEqual([]);
    const [first, second] = scene.hooks.hooks.BeforeTool;
    expect([first?.name, first?.description, second?.async]).toEqual(['guard', 'guards', true]);
    await scene.handler.fire(...shell);
  });
  await withAgent('qwen-code', { PreToolUse: group(hook) }, async (scene) => {
    await scene.handler.fire(...shell);
    expect(seen(scene)).toEqual({ word: 'own' });
  });
});

test('Auggie: metadata of a hook is read and ignored', async () => {
  const hook = { type: 'command', command: 'true', metadata: { includeUserContext: true } };
  await withAgent('auggie', { PreToolUse: group(hook) }, async ({ hooks: { diagnostics, hooks } }) => {
    expect([diagnostics, hooks.BeforeTool.length]).toEqual([[], 1]);
  });
});

test('Qwen Code: PostToolUse is for tools that succeeded, and PostToolUseFailure for tools that failed', async () => {
  const hooks = { PostToolUse: group('true'), PostToolUseFailure: group('cat > seen.json') };
  await withAgent('qwen-code', hooks, async (scene) => {
    const { outcomes } = await scene.handler.fire(...failed);
    expect(outcomes.map(({ status }) => status)).toEqual(['skipped', 'succeeded']);
    expect(seen(scene)).toMatchObject({ hook_event_name: 'PostToolUseFailure', error: expect.stringContaining('boom') });
  });
});

test.each(rowsOf({ 'qwen-code': '.qwen', codebuddy: '.codebuddy', devin: '.devin', auggie: '.augment' }))(
  'a file that %s does not read is reported by validate',
  async (name, folder) => {
    await withPlaces(async (places) => {
      places.write(`project/${folder}/hooks/hooks.json`, { hooks: denying });
      await places.discover(
        async ({ hooks }) => {
          expect(hooks.diagnostics).toMatchObject([{ code: 'unread_file', file: places.at(`project/${folder}/hooks/hooks.json`) }]);
        },
        discovering(name, places),
      );
    });
  },
);

test.each(agentNames)('invalid options of %s are refused with a TypeError that names the function', (name) => {
  const create = creators[name] as (options: object) => unknown;
  for (const options of [{ tools: 1 }, { permissionMode: 1 }, { managedFile: 'etc/settings.json' }, { other: 1 }])
    expect(() => create(options)).toThrow(TypeError);
  expect(() => create({ other: 1 })).toThrow(/^(?:qwenCode|factoryDroid|codeBuddy|devin|trae|auggie)/);
});

test.each(rowsOf({ devin: 'project/.devin/hooks.v1.json', factory: 'project/.factory/hooks.json' }))(
  'an event of %s in a file of events is an error if its value is not a list, and a note is ignored',
  async (name, file) => {
    await withPlaces(async (places) => {
      places.write(file, { _generated_by: 'a tool', PreToolUse: './guard.sh', Stop: null });
      await places.discover(
        async ({ hooks, handler }) => {
          expect(hooks.diagnostics.map(({ code, severity, path }) => [code, severity, path])).toEqual([
            ['invalid_group', 'error', 'PreToolUse'],
            ['invalid_group', 'error', 'Stop'],
          ]);
          expect((await handler.fire(...shell)).outcomes).toMatchObject([{ status: 'skipped', skipReason: 'invalid' }]);
        },
        discovering(name, places),
      );
    });
  },
);
