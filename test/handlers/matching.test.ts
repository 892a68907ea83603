import {
  Hook,
  HookEngine,
  type HookEngineOptions,
  HookEventType,
  type HookHandler,
  type HookResult,
  InvalidHookError,
  type MatcherFields,
  type PreToolUseEvent,
} from '@tenterhook/handlers';
import { fireByAgent, remembering, toolUse, ways } from './both-ways.js';

describe('matching', () => {
  type Row = [matcher: MatcherFields, event: Partial<PreToolUseEvent>, isCalled: boolean];
  const write = (file_path: string) => ({ tool: 'Write', args: { file_path } });
  const run = (command: string, tool = 'Bash') => ({ tool, args: { command } });

  const edits = [{ file_path: 'x' }, { file_path: 'a.txt' }];
  const combined = { tool: 'Bash', command_pattern: 'rm', session_id: 's1' };
  const rows: [number, ...Row][] = [
    [10, {}, {}, true],
    [10, {}, { tool: 'Read', args: {} }, true],
    [10, { tool: 'Bash' }, {}, true],
    [10, { tool: 'Bash' }, { tool: 'Read' }, false],
    [10, { tool: 'Bash' }, { tool: 'bash' }, false],
    [11, { session_id: 's1' }, {}, true],
    [11, { session_id: 's1' }, { session_id: 's2' }, false],
    [13, { path_pattern: '*.rs' }, write('src/main.rs'), true],
    [13, { path_pattern: '*.rs' }, write('src/main.py'), false],
    [14, { path_pattern: 'src/**/*.ts' }, write('src/a.ts'), true],
    [14, { path_pattern: 'src/**/*.ts' }, write('src/x/y/a.ts'), true],
    [14, { path_pattern: 'src/**/*.ts' }, write('lib/a.ts'), false],
    [14, { path_pattern: 'src/**/*.ts' }, write('/srv/app/src/a.ts'), true],
    [14, { path_pattern: 'src/**/*.ts' }, write('/srv/other/src/a.ts'), false],
    [15, { path_pattern: '*.{ts,js}' }, write('a.js'), true],
    [15, { path_pattern: '.env' }, write('src/.env'), true],
    [15, { path_pattern: '*test*' }, write('a/my.test.ts'), true],
    [16, { path_pattern: '*.txt' }, { tool: 'Read', args: { path: 'a.txt' } }, true],
    [16, { path_pattern: '*.txt' }, { tool: 'NotebookEdit', args: { notebook_path: 'a.txt' } }, true],
    [16, { path_pattern: '*.txt' }, { tool: 'MultiEdit', args: { edits } }, true],
    [16, { path_pattern: '*.txt' }, run('cat a.txt'), false],
    [17, { command_pattern: 'rm\\s+-rf' }, run('sudo rm  -rf x'), true],
    [17, { command_pattern: 'rm\\s+-rf' }, run('echo hi'), false],
    [17, { command_pattern: 'rm\\s+-rf' }, run('sudo rm  -rf x', 'run_shell_command'), true],
    [17, { command_pattern: 'rm\\s+-rf' }, run('sudo rm  -rf x', 'Read'), false],
    [18, { command_pattern: '^git\\s+' }, run('cd x && git push'), false],
    [18, { command_pattern: '^git\\s+' }, run('git push'), true],
    [20, combined, run('rm x'), true],
    [20, combined, run('rm x', 'bash'), false],
    [20, combined, run('ls'), false],
    [20, combined, { ...run('rm x'), session_id: 's2' }, false],
  ];

  describe.each(ways)('%s', (_, fire) => {
    test.each(rows)('a3s %i: a hook with the matcher %j and the call %j: called is %j', async (_number, matcher, event, isCalled) => {
      const engine = new HookEngine();
      const handler = remembering({ action: 'Block', reason: 'called' });
      engine.register({ id: 'h', event_type: 'pre_tool_use', matcher });
      engine.register_handler('h', handler);
      expect((await fire(engine, toolUse(event))).action).toBe(isCalled ? 'Block' : 'Continue');
      expect(handler.seen).toHaveLength(isCalled ? 1 : 0);
    });

    test.each<[HookEngineOptions, MatcherFields, Partial<PreToolUseEvent>, boolean]>([
      [{ pathFields: ['target.to', 'moves[].from'] }, { path_pattern: '*.rs' }, { args: { target: { to: 'a.rs' } } }, true],
      [{ pathFields: ['target.to', 'moves[].from'] }, { path_pattern: '*.rs' }, { args: { moves: [{}, null, { from: 'a.rs' }] } }, true],
      [{ pathFields: ['target.to', 'moves[].from'] }, { path_pattern: '*.rs' }, { args: { file_path: 'a.rs' } }, false],
      [{ pathFields: ['target'] }, { path_pattern: '*.rs' }, { args: { target: ['a.rs'] } }, true],
      [{}, { path_pattern: '*.rs' }, { args: { paths: ['a.py', 7, 'a.rs'] } }, true],
      [{}, { path_pattern: '*.rs' }, { args: { absolute_path: '/x/a.rs' } }, true],
      [{ shellTools: ['terminal'] }, { command_pattern: 'ls' }, { tool: 'terminal' }, true],
      [{ ignoreCase: true }, { path_pattern: 'secrets/**' }, { args: { path: 'SECRETS/a' } }, true],
      [{ ignoreCase: true }, { path_pattern: 'secrets/**' }, { args: { path: 'SECRET/a' } }, false],
      [{ ignoreCase: false }, { path_pattern: 'secrets/**' }, { args: { path: 'SECRETS/a' } }, false],
      [{ shellTools: ['terminal'] }, { command_pattern: 'ls' }, { tool: 'Bash' }, false],
    ])('a3s 16, 17: with the settings %j, the matcher %j and the call %j: called is %j', async (options, matcher, event, isCalled) => {
      const engine = new HookEngine(options);
      const handler = remembering();
      engine.register({ id: 'h', event_type: 'pre_tool_use', matcher });
      engine.register_handler('h', handler);
      await fire(engine, toolUse(event));
      expect(handler.seen).toHaveLength(isCalled ? 1 : 0);
    });

    test.each([{ tool: 'Bash' }, { path_pattern: '*' }, { command_pattern: '.*' }])(
      'a3s 12: a hook of session_start with the matcher %j is never called',
      async (matcher) => {
        const engine = new HookEngine();
        const handler = remembering();
        engine.register({ id: 'h', event_type: 'session_start', matcher });
        engine.register_handler('h', handler);
        await fire(engine, { event_type: 'session_start', payload: { session_id: 's1', model_provider: '', model_name: '' } });
        expect(handler.seen).toEqual([]);
      },
    );
  });

  test('ignoreCase must be true or false: a text would be true', () => {
    expect(() => new HookEngine({ ignoreCase: 'no' as unknown as boolean })).toThrow(/ignoreCase must be true or false, and is "no"/);
  });

  test('a3s 19: an invalid command pattern is refused at registration, by its name and its text', () => {
    const engine = new HookEngine();
    const register = () => engine.register({ id: 'guard', event_type: 'pre_tool_use', matcher: { command_pattern: 'rm (' } });
    expect(register).toThrow(InvalidHookError);
    expect(register).toThrow(expect.objectContaining({ code: 'invalid_hook', path: 'matcher.command_pattern' }));
    expect(register).toThrow(/"guard".*rm \(/);
    expect(engine.hook_count()).toBe(0);
  });
});

describe('order', () => {
  type Handle = HookHandler['handle'];

  /** An engine with handlers, each with its id, its priority and its function. */
  function engineOf(...handlers: [id: string, priority: number, handler: { handle: Handle }][]): HookEngine {
    const engine = new HookEngine();
    for (const [id, priority, handler] of handlers) {
      engine.register({ id, event_type: 'pre_tool_use', config: { priority } });
      engine.register_handler(id, handler);
    }
    return engine;
  }
  const modifies = (modified: object) => remembering({ action: 'Continue', modified });
  const withoutWarnings = ({ warnings: _, ...result }: HookResult) => result;

  describe.each(ways)('%s', (way, fire) => {
    test('a3s 3: a block ends the chain', async () => {
      const b = remembering();
      const result = await fire(engineOf(['a', 5, remembering({ action: 'Block', reason: 'no' })], ['b', 10, b]), toolUse());
      expect(result).toMatchObject({ action: 'Block', reason: 'no' });
      expect(b.seen).toEqual([]);
    });

    test('a3s 4: the lower priority runs first, negative ones too; equal ones in the order of registration', async () => {
      const calls: string[] = [];
      const call = (id: string): { handle: Handle } => ({ handle: () => void calls.push(id) });
      await fire(engineOf(['a', 10, call('a')], ['b', 5, call('b')], ['c', -1, call('c')]), toolUse());
      expect(calls.splice(0)).toEqual(['c', 'b', 'a']);
      await fire(engineOf(['z', 100, call('z')], ['y', 100, call('y')], ['x', 99.5, call('x')]), toolUse());
      expect(calls).toEqual(['x', 'z', 'y']);
    });

    test('a3s 21: what one handler modified is what the next one sees, and the result', async () => {
      const b = remembering({ action: 'Continue' });
      const result = await fire(engineOf(['a', 1, modifies({ x: 1 })], ['b', 2, b]), toolUse());
      expect(withoutWarnings(result)).toEqual({ action: 'Continue', modified: { x: 1 } });
      expect(b.seen).toMatchObject([{ args: { x: 1 }, tool: 'Bash' }]);
      expect(b.seen[0].args).toEqual({ x: 1 });
    });

    test('a3s 22: the arguments are replaced, not merged', async () => {
      // It is asked again about what the other one wrote, and leaves that alone.
      // biome-ignore lint/suspicious/noExplicitAny: an id says nothing of the payload.
      const once: Handle = ({ payload }: { payload: any }) =>
        'y' in payload.args ? undefined : { action: 'Continue', modified: { x: 1 } };
      const result = await fire(engineOf(['a', 1, { handle: once }], ['b', 2, modifies({ y: 2 })]), toolUse());
      expect(withoutWarnings(result)).toEqual({ action: 'Continue', modified: { y: 2 } });
    });

    test('a3s 23: after a block nothing is modified', async () => {
      const result = await fire(engineOf(['a', 1, modifies({ x: 1 })], ['b', 2, remembering({ action: 'Block' })]), toolUse());
      expect(withoutWarnings(result)).toEqual({ action: 'Block', reason: 'Blocked' });
    });

    test('a3s 24: a skip ends the chain, and what was modified before it stays', async () => {
      const c = remembering({ action: 'Block' });
      const engine = engineOf(['a', 1, modifies({ x: 1 })], ['b', 2, remembering({ action: 'Skip' })], ['c', 3, c]);
      expect(withoutWarnings(await fire(engine, toolUse()))).toEqual({ action: 'Continue', modified: { x: 1 } });
      expect(c.seen).toEqual([]);
      if (way !== 'engine.fire') {
        const { outcomes } = await fireByAgent(engine, toolUse());
        expect(outcomes.map(({ name, status, skipReason }) => [name, status, skipReason])).toEqual([
          ['a', 'succeeded', undefined],
          ['b', 'succeeded', undefined],
          ['c', 'skipped', 'chain-ended'],
        ]);
      }
    });

    test('a3s 35: a handler that unregisters another one does so for the next event', async () => {
      const b = remembering({ action: 'Continue', modified: { ran: true } });
      const engine: HookEngine = engineOf(['a', 1, { handle: () => void engine.unregister('b') }], ['b', 2, b]);
      expect(withoutWarnings(await fire(engine, toolUse()))).toEqual({ action: 'Continue', modified: { ran: true } });
      expect(withoutWarnings(await fire(engine, toolUse()))).toEqual({ action: 'Continue' });
      expect(b.seen).toHaveLength(1);
    });

    test('a3s 35: neither does taking away the handler alone, or putting another in its place, change an event in flight', async () => {
      const b = remembering({ action: 'Block', reason: 'the first' });
      const change = () => {
        engine.unregister_handler('b');
        engine.register_handler('b', remembering({ action: 'Block', reason: 'the second' }));
      };
      const engine: HookEngine = engineOf(['a', 1, { handle: change }], ['b', 2, b]);
      expect(await fire(engine, toolUse())).toMatchObject({ reason: 'the first' });
      expect(await fire(engine, toolUse())).toMatchObject({ reason: 'the second' });
    });
  });
});

describe('registration', () => {
  const hook = { id: 'guard', event_type: 'pre_tool_use' } as const;
  const blocks = (reason?: string) => ({ handle: () => ({ action: 'Block' as const, ...(reason === undefined ? {} : { reason }) }) });

  describe.each(ways)('%s', (_, fire) => {
    test('a3s 1: without hooks the event goes on as it is', async () => {
      expect(await fire(new HookEngine(), toolUse())).toEqual({ action: 'Continue', warnings: [] });
    });

    test('a3s 1: a hook without a handler means Continue', async () => {
      const engine = new HookEngine();
      engine.register(hook);
      const result = await fire(engine, toolUse());
      expect(result.action).toBe('Continue');
      expect(result).not.toHaveProperty('modified');
    });

    test('a3s 1: a handler without a hook never runs', async () => {
      const engine = new HookEngine();
      const handler = remembering({ action: 'Block' });
      engine.register_handler('guard', handler);
      expect((await fire(engine, toolUse())).action).toBe('Continue');
      expect(handler.seen).toEqual([]);
    });

    test.each([
      ['Dangerous', 'Dangerous'],
      [undefined, 'Blocked'],
      ['', 'Blocked'],
    ])('a3s 2: a block with the reason %j has the reason "%s"', async (given, reason) => {
      const engine = new HookEngine();
      engine.register(hook);
      engine.register_handler('guard', blocks(given));
      expect(await fire(engine, toolUse())).toMatchObject({ action: 'Block', reason });
    });

    test('a3s 5: a hook of one type is not asked about another', async () => {
      const engine = new HookEngine();
      const handler = remembering({ action: 'Block' });
      engine.register(hook);
      engine.register_handler('guard', handler);
      const result = { success: true, output: 'ok', duration_ms: 1 };
      const after = { event_type: 'post_tool_use', payload: { session_id: 's1', tool: 'Bash', args: {}, result } } as const;
      expect((await fire(engine, after)).action).toBe('Continue');
      expect(handler.seen).toEqual([]);
    });

    test('a3s 8: the handler of a hook that was unregistered does not serve the next hook of that id', async () => {
      const engine = new HookEngine();
      engine.register(hook);
      engine.register_handler('guard', blocks());
      engine.unregister('guard');
      engine.register(hook);
      expect((await fire(engine, toolUse())).action).toBe('Continue');
    });

    test('a3s 9: of an id that is registered twice the second definition counts', async () => {
      const engine = new HookEngine();
      engine.register_handler('guard', blocks());
      engine.register({ ...hook, matcher: { tool: 'Read' } });
      expect((await fire(engine, toolUse())).action).toBe('Continue');
      engine.register({ ...hook, matcher: { tool: 'Bash' } });
      expect(engine.hook_count()).toBe(1);
      expect((await fire(engine, toolUse())).action).toBe('Block');
    });
  });

  test('a3s 6: each key of a config defaults on its own', () => {
    const { config } = Hook.new('h', HookEventType.PreToolUse).with_config({ priority: 1 });
    expect(config).toEqual({ priority: 1, timeout_ms: 30_000, async_execution: false, max_retries: 0, onError: 'continue' });
    const engine = new HookEngine();
    engine.register({ ...hook, config: { timeout_ms: 5 } });
    expect(engine.get_hook('guard')?.config).toEqual({ ...config, priority: 100, timeout_ms: 5 });
  });

  test('a3s 7: a hook is registered, found, and given back once', () => {
    const engine = new HookEngine();
    engine.register(hook);
    expect(engine.hook_count()).toBe(1);
    expect(engine.get_hook('guard')).toMatchObject(hook);
    const given = engine.unregister('guard');
    expect(given).toMatchObject(hook);
    expect([engine.hook_count(), engine.get_hook('guard'), engine.unregister('guard')]).toEqual([0, null, null]);
  });

  test('a3s 9: an id that is registered again keeps its place', () => {
    const engine = new HookEngine();
    for (const id of ['a', 'b', 'a']) engine.register({ ...hook, id });
    expect(engine.all_hooks().map(({ id }) => id)).toEqual(['a', 'b']);
  });
});
