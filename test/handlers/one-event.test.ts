import { HookEngine } from '@tenterhook/handlers';
import { says, settingsOf, withHooks } from '../support/fire-hooks.js';
import { toolUse, ways } from './both-ways.js';
import { deferredHandler, engineWith, keeping, withHandlers } from './engine-scene.js';

const modifies = (modified: object) => ({ action: 'Continue' as const, modified });
const id = (name: string) => `handlers/handler/BeforeTool/${name}`;
const command = 'llxprt/settings/BeforeTool/0.0';

test('a command that denies, a handler that goes on and one that rewrites are one verdict and three outcomes in plan order', async () => {
  const denies = `cat > seen.json; ${says({ decision: 'deny', reason: 'no' })}`;
  await withHandlers(
    {
      rewrite: ['pre_tool_use', modifies({ command: 'ls -l' }), { config: { priority: 20 } }],
      quiet: ['pre_tool_use', { action: 'Continue' }, { config: { priority: 10 } }],
    },
    async ({ handler, read }) => {
      const { verdict, outcomes, changes, allOutputs } = await handler.fireBeforeToolEvent('Bash', { command: 'ls' });
      expect(verdict).toEqual({ kind: 'deny', stop: false, reason: 'no', by: [command], stoppedBy: [] });
      expect(outcomes.map(({ hookId, status }) => [hookId, status])).toEqual([
        [id('quiet'), 'succeeded'],
        [id('rewrite'), 'succeeded'],
        [command, 'blocked'],
      ]);
      expect(outcomes.slice(0, 2)).toMatchObject([
        { name: 'quiet', source: 'handler', dialect: 'handlers', eventName: 'BeforeTool', warnings: [] },
        { name: 'rewrite', source: 'handler', dialect: 'handlers' },
      ]);
      expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ tool_input: { command: 'ls -l' } });
      expect(changes).toEqual([{ path: 'tool_input.command', hookId: id('rewrite'), before: 'ls', after: 'ls -l' }]);
      expect(allOutputs).toHaveLength(2);
    },
    { settings: settingsOf('BeforeTool', [denies]) },
  );
});

test('a skip ends the handlers and leaves the hooks of settings files running', async () => {
  const last = keeping({ action: 'Block' });
  await withHandlers(
    { skip: ['pre_tool_use', { action: 'Skip' }], last: ['pre_tool_use', last.handle] },
    async ({ handler }) => {
      const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', {});
      expect(outcomes.map(({ status, skipReason }) => skipReason ?? status)).toEqual(['succeeded', 'chain-ended', 'blocked']);
      expect(verdict).toMatchObject({ kind: 'deny', by: [command] });
      expect(last.payloads).toEqual([]);
    },
    { settings: settingsOf('BeforeTool', ['exit 2']) },
  );
});

test('handlers of two engines run by priority, then engine by engine; an id that both have gets a number', async () => {
  const calls: string[] = [];
  const call = (name: string) => () => void calls.push(name);
  const engines = ['one', 'two'].map((name) =>
    engineWith({
      same: ['pre_tool_use', call(`${name}/same`)],
      [name]: ['pre_tool_use', call(`${name}/own`), { config: { priority: name === 'two' ? 1 : 100 } }],
    }),
  );
  await withHandlers(
    {},
    async ({ handler }) => {
      const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
      expect(calls).toEqual(['two/own', 'one/same', 'one/own', 'two/same']);
      expect(outcomes.map(({ hookId }) => hookId)).toEqual([id('two'), id('same'), id('one'), id('same~2')]);
    },
    { handlers: engines },
  );
});

test('an event in flight keeps the handlers that it began with, and has() follows every change', async () => {
  const { handle, began, goOn } = deferredHandler();
  const last = keeping({ action: 'Block', reason: 'last' });
  await withHandlers({ first: ['pre_tool_use', handle], last: ['pre_tool_use', last.handle] }, async ({ hooks, handler, engine }) => {
    const fired = handler.fireBeforeToolEvent('Bash', {});
    await began;
    const added = keeping();
    engineWith({ added: ['pre_tool_use', added.handle, { config: { priority: 1000 } }] }, engine);
    expect(engine.unregister('last')).not.toBeNull();
    expect(engine.unregister('first')).not.toBeNull();
    goOn();
    expect((await fired).verdict).toMatchObject({ kind: 'deny', reason: 'last' });
    expect(added.payloads).toEqual([]);

    expect(hooks.has('BeforeTool')).toBe(true);
    const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
    expect(outcomes.map(({ name }) => name)).toEqual(['added']);
    engine.unregister('added');
    expect(hooks.has('BeforeTool')).toBe(false);
    const [one, two] = [handler.fireBeforeToolEvent('Bash', {}), handler.fireBeforeToolEvent('Read', {})];
    expect(one).toBe(two);
    engineWith({ again: ['post_tool_use', undefined] }, engine);
    expect([hooks.has('BeforeTool'), hooks.has('AfterTool')]).toEqual([false, true]);
  });
});

test('a handler that changes its event changes nothing but its own copy', async () => {
  const after = keeping();
  // biome-ignore lint/suspicious/noExplicitAny: it does what no type allows.
  const ravage = ({ payload }: { payload: any }) => {
    payload.args.command = 'rm -rf /';
    payload.args.deep.list.push('x');
    payload.tool = 'Other';
    delete payload.session_id;
  };
  const args = { command: 'ls', deep: { list: [1] } };
  const asFired = structuredClone(args);
  await withHandlers(
    { ravage: ['pre_tool_use', ravage, { config: { priority: 1 } }], after: ['pre_tool_use', after.handle] },
    async ({ handler, engine, read }) => {
      const { changes, finalOutput } = await handler.fireBeforeToolEvent('Bash', args);
      expect([changes, finalOutput?.hookSpecificOutput, args]).toEqual([[], undefined, asFired]);
      expect(after.payloads).toMatchObject([{ args: asFired, tool: 'Bash', session_id: 's1' }]);
      expect(JSON.parse(read('seen.json') ?? '')).toMatchObject({ tool_name: 'Bash', tool_input: asFired });

      const payload = { session_id: 's1', tool: 'Bash', args, working_directory: '/', recent_tools: [] };
      expect(await engine.fire({ event_type: 'pre_tool_use', payload })).toEqual({ action: 'Continue', warnings: [] });
      expect([payload.tool, args, after.payloads[1].args]).toEqual(['Bash', asFired, asFired]);
    },
    { settings: settingsOf('BeforeTool', ['cat > seen.json']) },
  );
});

test('a handler that is called again finds the event as it was, and what it keeps changes nothing later', async () => {
  const seen: unknown[] = [];
  const kept = { list: [1] };
  // biome-ignore lint/suspicious/noExplicitAny: it does what no type allows.
  const fails = ({ payload }: { payload: any }) => {
    seen.push(structuredClone(payload.args));
    payload.args.command = 'changed';
    if (seen.length === 1) throw new Error('once');
    return modifies(kept);
  };
  const next = keeping();
  const change = () => void kept.list.push(2);
  await withHandlers(
    {
      fails: ['pre_tool_use', fails, { config: { max_retries: 1 } }],
      change: ['pre_tool_use', change],
      next: ['pre_tool_use', next.handle],
    },
    async ({ handler }) => {
      const { finalOutput } = await handler.fireBeforeToolEvent('Bash', { command: 'ls' });
      expect(seen).toEqual([{ command: 'ls' }, { command: 'ls' }]);
      expect(next.payloads).toMatchObject([{ args: { list: [1] } }]);
      expect(finalOutput?.hookSpecificOutput).toEqual({ tool_input: { list: [1] } });
    },
  );
});

test('a path or command that is rewritten is matched as it was and as it is', async () => {
  const guard = keeping({ action: 'Block', reason: 'no' });
  const matcher = { command_pattern: 'rm' };
  for (const [before, after] of [
    ['rm x', 'ls'],
    ['ls', 'rm x'],
  ] as const) {
    await withHandlers(
      {
        rewrite: ['pre_tool_use', modifies({ command: after }), { config: { priority: 1 } }],
        guard: ['pre_tool_use', guard.handle, { matcher }],
      },
      async ({ handler, engine }) => {
        expect((await handler.fireBeforeToolEvent('Bash', { command: before })).verdict.kind).toBe('deny');
        const payload = { session_id: 's1', tool: 'Bash', args: { command: before }, working_directory: '/', recent_tools: [] };
        expect((await engine.fire({ event_type: 'pre_tool_use', payload })).action).toBe('Block');
      },
    );
  }
  expect(guard.payloads.map(({ args }) => args.command)).toEqual(['ls', 'ls', 'rm x', 'rm x']);
});

test.each([
  [{ session_id: 's1' }, { session_id: 's2' }, {}],
  [{ tool: 'Bash', session_id: 's1' }, { session_id: 's2' }, {}],
  [{ command_pattern: 'rm' }, { tool_input: { command: 'ls' } }, { tool_input: { command: 'rm x' } }],
  [{ path_pattern: '*.rs' }, { tool_input: { path: 'a.py' } }, { tool_input: { path: 'a.rs' } }],
  [{ path_pattern: 'src/**' }, { tool_input: { path: '/a/src/x' }, cwd: '/b' }, { tool_input: { path: '/a/src/x' }, cwd: '/a' }],
  [{ tool: 'Bash' }, { tool_name: 'Read' }, {}],
])('what the matcher %j makes of the call %j is not remembered for %j', async (matcher, unlike, like) => {
  const guard = keeping({ action: 'Block' });
  const call = (fields: object) => ({ session_id: 's1', tool_name: 'Bash', tool_input: {}, ...fields });
  await withHandlers(
    { guard: ['pre_tool_use', guard.handle, { matcher }] },
    async ({ handler }) => {
      const kinds: string[] = [];
      for (const fields of [unlike, like, unlike, like]) kinds.push((await handler.fire('BeforeTool', call(fields))).verdict.kind);
      expect(kinds).toEqual(['none', 'deny', 'none', 'deny']);
      expect(guard.payloads).toHaveLength(2);
    },
    { sessionId: undefined as never },
  );
});

test('progress reports handlers like every hook', async () => {
  await withHandlers(
    { a: ['pre_tool_use', { action: 'Block', reason: 'no' }], b: ['pre_tool_use', undefined] },
    async ({ handler, progress }) => {
      await handler.fireBeforeToolEvent('Bash', {});
      expect(progress).toMatchObject([
        {
          kind: 'planned',
          skipped: 0,
          stages: [[{ hookId: id('a'), name: 'a', dialect: 'handlers', source: 'handler' }], [{ name: 'b' }]],
        },
        { kind: 'hook-started', hookId: id('a'), timeoutMs: 30_000 },
        { kind: 'hook-finished', hookId: id('a'), outcome: { status: 'blocked' } },
        { kind: 'hook-skipped', hookId: id('b'), skipReason: 'chain-ended' },
      ]);
    },
  );
});

test('explain shows handlers with matcher, place and reason', async () => {
  await withHandlers(
    {
      late: ['pre_tool_use', undefined],
      early: ['pre_tool_use', undefined, { config: { priority: 1 }, matcher: { tool: 'Bash', command_pattern: 'rm' } }],
      never: ['session_start', undefined, { matcher: { tool: 'Bash' } }],
    },
    async ({ hooks }) => {
      const explained = (command: string) => hooks.explain('BeforeTool', { tool_name: 'Bash', tool_input: { command } }).hooks;
      expect(explained('rm x')).toMatchObject([
        { hookId: id('early'), matcher: '{"tool":"Bash","command_pattern":"rm"}', stage: 1, wouldRun: true, timeoutMs: 30_000 },
        { hookId: id('late'), stage: 2, wouldRun: true, onError: 'continue', dialect: 'handlers', source: 'handler' },
      ]);
      expect(explained('ls')[0]).toMatchObject({ wouldRun: false, skipReason: 'matcher', reason: expect.stringContaining('"rm"') });
      const { hooks: started, diagnostics } = hooks.explain('SessionStart', { source: 'startup' });
      expect(started).toMatchObject([{ wouldRun: false, skipReason: 'matcher', reason: expect.stringContaining('never') }]);
      expect(diagnostics).toMatchObject([{ code: 'unmatched_matcher', message: expect.stringContaining('"never"') }]);
    },
  );
});

test('a skip of one engine ends the handlers of later engines, too', async () => {
  const [first, behind] = [keeping({ action: 'Skip' }), keeping()];
  const engines = [engineWith({ skip: ['pre_tool_use', first.handle] }), engineWith({ behind: ['pre_tool_use', behind.handle] })];
  await withHandlers(
    {},
    async ({ handler }) => {
      const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
      expect(outcomes).toMatchObject([{ status: 'succeeded' }, { status: 'skipped', skipReason: 'chain-ended' }]);
    },
    { handlers: engines },
  );
  expect([first, behind].map(({ payloads }) => payloads.length)).toEqual([1, 0]);
});

describe('both ways', () => {
  test('a3s 37: a handler that blocks decides before a hook of a settings file that allows', async () => {
    const engine = new HookEngine();
    engine.register({ id: 'guard', event_type: 'pre_tool_use' });
    engine.register_handler('guard', { handle: () => ({ action: 'Block', reason: 'no' }) });
    const settings = settingsOf('BeforeTool', [`touch ran; ${says({ decision: 'allow' })}`]);
    await withHooks({ settings, handlers: [engine] }, async ({ handler, read }) => {
      const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', { command: 'ls' });
      expect(verdict).toEqual({ kind: 'deny', stop: false, reason: 'no', by: ['handlers/handler/BeforeTool/guard'], stoppedBy: [] });
      expect(outcomes.map(({ dialect, status, skipReason }) => [dialect, status, skipReason])).toEqual([
        ['handlers', 'blocked', undefined],
        ['llxprt', 'skipped', 'chain-ended'],
      ]);
      expect(read('ran')).toBeUndefined();
    });
  });

  test('a3s 38: a handler that goes on is not an opinion, and never an allow', async () => {
    const engine = new HookEngine();
    engine.register({ id: 'quiet', event_type: 'pre_tool_use' });
    engine.register_handler('quiet', { handle: () => ({ action: 'Continue' }) });
    await withHooks({ settings: {}, handlers: [engine] }, async ({ handler }) => {
      const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', { command: 'ls' });
      expect(verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
      expect(outcomes).toMatchObject([{ status: 'succeeded', warnings: [] }]);
    });
  });

  describe.each(ways)('%s', (_, fire) => {
    test('a3s 38: that holds for a skip, too', async () => {
      const engine = new HookEngine();
      engine.register({ id: 'quiet', event_type: 'pre_tool_use' });
      engine.register_handler('quiet', { handle: () => ({ action: 'Skip' }) });
      expect(await fire(engine, toolUse())).toEqual({ action: 'Continue', warnings: [] });
    });
  });
});
