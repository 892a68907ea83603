import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { llxprt } from '@tenterhook/dialects';
import type { CommandHookConfig, HookConfig, HookGroup, SettingsHooks } from '@tenterhook/protocol';
import { fireTool, freshDirectory, outcomeAt, type Scene, says, settingsOf, withEndingHooks } from '../../support/fire-hooks.js';

describe('sources of settings', () => {
  const enabled = { tools: { enableHooks: true } };
  const disabled = { tools: { enableHooks: false } };
  const toolHooks = (...hooks: object[]) => ({ hooks: { BeforeTool: [{ hooks }] } });

  /** Creates settings where discovery looks for them, in directories for the project, the home and the system. */
  async function withDiscovered(
    files: { project?: object; user?: object; system?: object },
    use: (scene: Scene) => Promise<void>,
  ): Promise<void> {
    const [projectDir, home] = [freshDirectory(), freshDirectory('home')];
    const systemFile = join(home, 'etc/settings.json');
    const dialect = llxprt({ systemFile });
    // jest gives tests their own process.env, so a HOME that is set here is not the one that Node uses.
    const dialects = [
      { ...dialect, locations: (context: Parameters<typeof dialect.locations>[0]) => dialect.locations({ ...context, home }) },
    ];
    const places = { project: join(projectDir, '.llxprt/settings.json'), user: join(home, '.llxprt/settings.json'), system: systemFile };
    for (const [level, settings] of Object.entries(files)) {
      const file = places[level as keyof typeof places];
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(settings));
    }
    try {
      await withEndingHooks({ projectDir, dialects }, use);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }

  const log = { command: 'echo ran >> ran' };
  const [ofProject, ofUser] = ['llxprt/project/BeforeTool/0.0', 'llxprt/user/BeforeTool/0.0'];

  test('25. the same command in project and user settings runs once, and the other outcome names the kept one', async () => {
    await withDiscovered(
      { project: { ...enabled, ...toolHooks(log) }, user: { ...enabled, ...toolHooks(log) } },
      async ({ handler, read }) => {
        const { outcomes } = await handler.fireBeforeToolEvent('write_file', {});
        expect(outcomes).toMatchObject([
          { hookId: ofProject, source: 'project', status: 'succeeded' },
          { hookId: ofUser, source: 'user', status: 'skipped', skipReason: 'duplicate', duplicateOf: ofProject },
        ]);
        expect(read('ran')).toBe('ran\n');
      },
    );
  });

  test('25. the same command under two names runs twice', async () => {
    const [a, b] = [
      { ...log, name: 'a' },
      { ...log, name: 'b' },
    ];
    await withDiscovered({ project: { ...enabled, ...toolHooks(a) }, user: { ...enabled, ...toolHooks(b) } }, async ({ handler, read }) => {
      await handler.fireBeforeToolEvent('write_file', {});
      expect(read('ran')).toBe('ran\nran\n');
    });
  });

  test('26. names and commands that join to one text are two hooks', async () => {
    const result = await fireTool([
      { name: 'a:b', command: 'true' },
      { name: 'a', command: 'b:true' },
    ]);
    expect(result.outcomes.map((outcome) => [outcome.hookId, outcome.exitCode])).toEqual([
      ['llxprt/settings/BeforeTool/a:b', 0],
      ['llxprt/settings/BeforeTool/a', 127],
    ]);
  });

  test('40. found settings run nothing where no level switches hooks on, and explain reports it', async () => {
    await withDiscovered({ project: toolHooks(log), user: toolHooks(log) }, async ({ hooks, handler, read }) => {
      expect(hooks.has('BeforeTool')).toBe(false);
      expect((await handler.fireBeforeToolEvent('write_file', {})).outcomes).toEqual([]);
      expect(read('ran')).toBeUndefined();
      expect(hooks.explain('BeforeTool').hooks).toMatchObject([
        { hookId: ofProject, wouldRun: false, reason: expect.stringContaining('tools.enableHooks') },
        { hookId: ofUser, wouldRun: false, reason: expect.stringContaining('tools.enableHooks') },
      ]);
    });
  });

  test('40. the project switches off its own hooks and not those of the user', async () => {
    await withDiscovered(
      { project: { ...disabled, ...toolHooks(log) }, user: { ...enabled, ...toolHooks({ command: 'exit 2' }) } },
      async ({ handler }) => {
        const result = await handler.fireBeforeToolEvent('write_file', {});
        expect(result.verdict).toMatchObject({ kind: 'deny', by: [ofUser] });
        expect(result.outcomes).toHaveLength(1);
      },
    );
  });

  test('40. the user switches on the hooks of a project that does not say', async () => {
    await withDiscovered({ project: toolHooks(log), user: enabled }, async ({ handler }) => {
      expect(outcomeAt(await handler.fireBeforeToolEvent('write_file', {}), 0)).toMatchObject({ hookId: ofProject, status: 'succeeded' });
    });
  });

  test('40. settings that are handed to createHooks run without a switch, and not against one', async () => {
    expect((await fireTool(['true'])).outcomes).toHaveLength(1);
    await withEndingHooks({ settings: { ...disabled, ...toolHooks(log) } }, async ({ hooks }) =>
      expect(hooks.has('BeforeTool')).toBe(false),
    );
  });
});

describe('settings', () => {
  const group = (hooks: readonly unknown[], fields: Record<string, unknown> = {}) => ({ ...fields, hooks });
  const withGroups = <Result>(groups: unknown, use: Parameters<typeof withEndingHooks<Result>>[1]) =>
    withEndingHooks({ settings: { hooks: { BeforeTool: groups } } }, use);
  const diagnosticsOf = (groups: unknown) => withGroups(groups, async ({ hooks }) => hooks.diagnostics);

  test('hooks stand under "hooks", and nowhere else', async () => {
    const settings: SettingsHooks = { hooks: { BeforeTool: [{ hooks: [{ command: 'exit 2' }] }] } };
    const decided = (given: object) =>
      withEndingHooks({ settings: given }, async ({ handler }) => (await handler.fireBeforeToolEvent('write_file', {})).verdict.kind);
    expect(await decided(settings)).toBe('deny');
    expect(await decided(settings.hooks)).toBe('none');
  });

  test('eventName: a key there is an event with its groups; a name of none is a diagnostic', async () => {
    const hooks = { AfterTool: [group([{ command: 'true' }])], BeforeLunch: [group([{ command: 'true' }])] };
    await withEndingHooks({ settings: { hooks } }, async (scene) => {
      expect(scene.hooks.has('AfterTool')).toBe(true);
      expect(scene.hooks.diagnostics).toMatchObject([{ code: 'unknown_event', path: expect.stringContaining('BeforeLunch') }]);
    });
  });

  test('a matcher chooses the tools of its group; without one it is all of them', async () => {
    const groups = [group([{ name: 'some', command: 'true' }], { matcher: '^write_.*' }), group([{ name: 'all', command: 'exit 0' }])];
    await withGroups(groups, async ({ handler }) => {
      const statuses = async (toolName: string) =>
        (await handler.fireBeforeToolEvent(toolName, {})).outcomes.map((outcome) => outcome.status);
      expect(await statuses('write_file')).toEqual(['succeeded', 'succeeded']);
      expect(await statuses('read_file')).toEqual(['skipped', 'succeeded']);
    });
  });

  test('matcher: on an event without a tool it is a warning, and the hook runs (decision 2)', async () => {
    await withEndingHooks({ settings: settingsOf('BeforeModel', ['true'], { matcher: '^nothing$' }) }, async ({ hooks, handler }) => {
      expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored' }]);
      expect(outcomeAt(await handler.fireBeforeModelEvent({}), 0).status).toBe('succeeded');
    });
  });

  test.each([true, false, undefined])('sequential: %s', async (sequential) => {
    const first = `${says({ hookSpecificOutput: { tool_input: { by: 'first' } } })}`;
    // Two hooks that wait for each other: they end only if they run side by side.
    const meet = (own: string, other: string) => `touch ${own}; until [ -e ${other} ]; do sleep 0.02; done`;
    const hooks = sequential ? [first, 'cat > seen.json'] : [`${meet('a', 'b')}; ${first}`, `cat > seen.json; ${meet('b', 'a')}`];
    await withGroups(
      [
        group(
          hooks.map((command) => ({ command, recheck: false })),
          sequential === undefined ? {} : { sequential },
        ),
      ],
      async (scene) => {
        const result = await scene.handler.fireBeforeToolEvent('write_file', {});
        expect(result.outcomes.map((outcome) => outcome.status)).toEqual(['succeeded', 'succeeded']);
        expect(JSON.parse(scene.read('seen.json') ?? '').tool_input).toEqual(sequential ? { by: 'first' } : {});
      },
    );
  });

  test('a group has a list of hooks, all of which run; without one it is not a group', async () => {
    await withGroups([group([{ command: 'touch one' }, { command: 'touch two' }])], async ({ handler, read }) => {
      await handler.fireBeforeToolEvent('write_file', {});
      expect([read('one'), read('two')]).toEqual(['', '']);
    });
    expect(await diagnosticsOf([{ matcher: '*' }])).toMatchObject([{ code: 'invalid_group' }]);
  });

  test('the type is "command", also where it is absent; "plugin" is not one (decision 26)', async () => {
    const groups = [
      group([{ type: 'command', command: 'touch one' }, { command: 'touch two' }, { type: 'plugin', command: 'touch three' }]),
    ];
    await withGroups(groups, async ({ hooks, handler, read }) => {
      const { outcomes } = await handler.fireBeforeToolEvent('write_file', {});
      expect(outcomes.map((outcome) => outcome.status)).toEqual(['succeeded', 'succeeded', 'skipped']);
      expect([read('one'), read('two'), read('three')]).toEqual(['', '', undefined]);
      expect(hooks.diagnostics).toMatchObject([{ code: 'unknown_type', path: 'hooks.BeforeTool[0].hooks[2].type' }]);
    });
  });

  test('the command runs in a shell, which expands ~ and the project directory', async () => {
    await withGroups([group([{ command: 'echo ~ "$LLXPRT_PROJECT_DIR" > ran' }])], async ({ handler, read, projectDir }) => {
      await handler.fireBeforeToolEvent('write_file', {});
      expect(read('ran')).toBe(`${process.env['HOME'] ?? homedir()} ${projectDir}\n`);
    });
    expect(await diagnosticsOf([group([{ type: 'command' }])])).toMatchObject([{ code: 'missing_command' }]);
  });

  test('the timeout is in milliseconds, and 60000 by default', async () => {
    const hooks = [
      { name: 'short', command: 'sleep 600', timeout: 150 },
      { name: 'default', command: 'true' },
    ];
    await withGroups([group(hooks)], async ({ handler, progress }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(result.outcomes.map((outcome) => outcome.status)).toEqual(['timed-out', 'succeeded']);
      const started = progress.flatMap((message) => (message.kind === 'hook-started' ? [[message.name, message.timeoutMs]] : []));
      expect(started.sort()).toEqual([
        ['default', 60_000],
        ['short', 150],
      ]);
    });
  });

  test('CommandHookConfig: the hook of a group is a command hook', async () => {
    const command: CommandHookConfig = { type: 'command', command: 'touch ran', timeout: 5000 };
    const hook: HookConfig = command;
    const typed: HookGroup = { matcher: '*', sequential: false, hooks: [hook] };
    await withGroups([typed], async ({ hooks, handler, read }) => {
      expect(hooks.diagnostics).toEqual([]);
      await handler.fireBeforeToolEvent('write_file', {});
      expect(read('ran')).toBe('');
    });
  });
});
