import { homedir } from 'node:os';
import type { CommandHookConfig, HookConfig, HookGroup, SettingsHooks } from '@tenterhook/protocol';
import { outcomeAt, says, settingsOf, withHooks } from '../support/fire-hooks.js';

const group = (hooks: readonly unknown[], fields: Record<string, unknown> = {}) => ({ ...fields, hooks });
const withGroups = <Result>(groups: unknown, use: Parameters<typeof withHooks<Result>>[1]) =>
  withHooks({ settings: { hooks: { BeforeTool: groups } } }, use);
const diagnosticsOf = (groups: unknown) => withGroups(groups, async ({ hooks }) => hooks.diagnostics);

test('hooks stand under "hooks", and nowhere else', async () => {
  const settings: SettingsHooks = { hooks: { BeforeTool: [{ hooks: [{ command: 'exit 2' }] }] } };
  const decided = (given: object) =>
    withHooks({ settings: given }, async ({ handler }) => (await handler.fireBeforeToolEvent('write_file', {})).verdict.kind);
  expect(await decided(settings)).toBe('deny');
  expect(await decided(settings.hooks)).toBe('none');
});

test('eventName: a key there is an event with its groups; a name of none is a diagnostic', async () => {
  const hooks = { AfterTool: [group([{ command: 'true' }])], BeforeLunch: [group([{ command: 'true' }])] };
  await withHooks({ settings: { hooks } }, async (scene) => {
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
  await withHooks({ settings: settingsOf('BeforeModel', ['true'], { matcher: '^nothing$' }) }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toMatchObject([{ code: 'matcher_ignored' }]);
    expect(outcomeAt(await handler.fireBeforeModelEvent({}), 0).status).toBe('succeeded');
  });
});

test.each([true, false, undefined])('sequential: %s', async (sequential) => {
  const first = `${says({ hookSpecificOutput: { tool_input: { by: 'first' } } })}`;
  // Where they run side by side, each waits for the other: one after the other would never end.
  const meet = (own: string, other: string) => `touch ${own}; until [ -e ${other} ]; do sleep 0.02; done`;
  const hooks = sequential ? [first, 'cat > seen.json'] : [`${meet('a', 'b')}; ${first}`, `cat > seen.json; ${meet('b', 'a')}`];
  await withGroups(
    [
      group(
        hooks.map((command) => ({ command })),
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

test('a group has a list of hooks, all of which run; without one it is no group', async () => {
  await withGroups([group([{ command: 'touch one' }, { command: 'touch two' }])], async ({ handler, read }) => {
    await handler.fireBeforeToolEvent('write_file', {});
    expect([read('one'), read('two')]).toEqual(['', '']);
  });
  expect(await diagnosticsOf([{ matcher: '*' }])).toMatchObject([{ code: 'invalid_group' }]);
});

test('the type is "command", also where it is absent; "plugin" is none (decision 26)', async () => {
  const groups = [group([{ type: 'command', command: 'touch one' }, { command: 'touch two' }, { type: 'plugin', command: 'touch three' }])];
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

test('the timeout is in milliseconds, and 60000 where there is none', async () => {
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
