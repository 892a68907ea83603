import { jest } from '@jest/globals';
import {
  type HandlerAnswer,
  type HandlerEvent,
  type HandlerWarning,
  Hook,
  HookEngine,
  HookEventType,
  type HookFields,
  HookMatcher,
  HookResponse,
} from '@tenterhook/handlers';
import type { HookEventName } from '@tenterhook/protocol';
import { withHooks } from '../support/fire-hooks.js';
import { remembering, toolUse, ways } from './both-ways.js';

describe('engine and hooks', () => {
  const hook = { id: 'h', event_type: 'pre_tool_use' } as const;
  const toolUse = (tool = 'Bash', args: object = { command: 'ls' }, session_id = 's1'): HandlerEvent => ({
    event_type: 'pre_tool_use',
    payload: { session_id, tool, args, working_directory: '/srv/app', recent_tools: [] },
  });

  /** Returns the result of an event with one hook and its handler, and how often the handler was called. */
  async function fired(fields: Partial<HookFields>, answer: () => unknown, event = toolUse()) {
    const engine = new HookEngine();
    let calls = 0;
    engine.register({ ...hook, ...fields });
    engine.register_handler('h', {
      handle: () => {
        calls += 1;
        return answer() as undefined;
      },
    });
    return { ...(await engine.fire(event)), calls };
  }

  describe('event types', () => {
    const types: [type: keyof typeof HookEventType, eventName: HookEventName, input: Record<string, unknown>][] = [
      ['PreToolUse', 'BeforeTool', { tool_name: 'Bash', tool_input: {} }],
      ['PostToolUse', 'AfterTool', { tool_name: 'Bash', tool_input: {}, tool_response: {} }],
      ['GenerateStart', 'BeforeModel', { llm_request: {} }],
      ['GenerateEnd', 'AfterModel', { llm_request: {}, llm_response: {} }],
      ['SessionStart', 'SessionStart', { source: 'startup' }],
      ['SessionEnd', 'SessionEnd', { reason: 'exit' }],
    ];

    test.each(types)('a hook of %s runs for events of its type, which is %s of an agent, and for no other', async (type, eventName) => {
      const engine = new HookEngine();
      const seen: string[] = [];
      let current: string | undefined;
      engine.register(Hook.new('h', HookEventType[type]));
      engine.register_handler('h', { handle: ({ event_type }) => void seen.push(`${event_type} for ${current}`) });
      for (const [name] of types) {
        current = name;
        await engine.fire({ event_type: HookEventType[name], payload: {} } as HandlerEvent);
      }
      expect(seen.splice(0)).toEqual([`${HookEventType[type]} for ${type}`]);
      await withHooks({ settings: {}, handlers: [engine] }, async ({ handler }) => {
        for (const [, name, input] of types) {
          current = name;
          await handler.fire(name, input);
        }
        expect(seen).toEqual([`${HookEventType[type]} for ${eventName}`]);
      });
    });
  });

  describe('actions', () => {
    test.each([
      [HookResponse.continue_with({ x: 1 }), 'none', { tool_input: { x: 1 } }, [{ x: 1 }]],
      [HookResponse.block('no'), 'deny', undefined, []],
      [HookResponse.retry(5), 'deny', undefined, []],
      [HookResponse.skip(), 'none', undefined, []],
    ])('with the answer %j the verdict is %s, and the engine alone says the same', async (answer, kind, rewritten, seen) => {
      const engine = new HookEngine();
      let later: unknown[] = [];
      engine.register(hook);
      engine.register_handler('h', { handle: () => answer });
      engine.register({ ...hook, id: 'later' });
      engine.register_handler('later', { handle: ({ payload }) => void later.push(payload.args) });
      await withHooks({ settings: {}, handlers: [engine] }, async ({ handler }) => {
        const { verdict, finalOutput } = await handler.fireBeforeToolEvent('Bash', {});
        expect([verdict.kind, later]).toEqual([kind, seen]);
        expect(finalOutput?.hookSpecificOutput).toEqual(rewritten);
        if (answer.action === 'Block') expect(verdict.reason).toBe('no');
        expect(verdict.retryAfterMs).toBe(answer.action === 'Retry' ? 5 : undefined);
      });
      later = [];
      const meaning = answer.action === 'Skip' ? { action: 'Continue' } : answer;
      expect([await engine.fire(toolUse()), later]).toEqual([{ ...meaning, warnings: [] }, seen]);
    });

    test('a block has an action and a reason', async () => {
      expect(await fired({}, () => ({ action: 'Block', reason: 'no' }))).toMatchObject({ action: 'Block', reason: 'no' });
    });

    test('a continue may have what it modified', async () => {
      expect(await fired({}, () => ({ action: 'Continue', modified: { x: 1 } }))).toMatchObject({ modified: { x: 1 } });
    });

    test('retry_delay_ms: a retry has its delay', async () => {
      expect(await fired({}, () => ({ action: 'Retry', retry_delay_ms: 5 }))).toMatchObject({ action: 'Retry', retry_delay_ms: 5 });
    });
  });

  describe('matchers', () => {
    const write = (file_path: string) => toolUse('Write', { file_path });
    test.each<[matcher: HookMatcher, fits: HandlerEvent, fitsNot: HandlerEvent]>([
      [HookMatcher.tool('Bash'), toolUse('Bash'), toolUse('BashTool')],
      [HookMatcher.path('src/**/*.ts'), write('src/a/b.ts'), write('lib/b.ts')],
      [HookMatcher.command('^git\\s+'), toolUse('Bash', { command: 'git push' }), toolUse()],
      [HookMatcher.session('s1'), toolUse(), toolUse('Bash', {}, 's2')],
      [HookMatcher.path('src/*.ts'), write('src/a.ts'), write('src/a/b.ts')],
      [HookMatcher.path('src/**'), write('src/a/b.ts'), write('lib/src.ts')],
      [HookMatcher.path('*.ts'), write('src/a/b.ts'), write('src/a/b.js')],
    ])('%j fits one event and not the other', async (matcher, fits, fitsNot) => {
      expect([(await fired({ matcher }, () => null, fits)).calls, (await fired({ matcher }, () => null, fitsNot)).calls]).toEqual([1, 0]);
    });
  });

  describe('the fields of a hook', () => {
    afterEach(() => {
      jest.useRealTimers();
    });

    test('id, event_type, matcher, config: are those that it was made with', () => {
      const made = Hook.new('h', HookEventType.PreToolUse).with_matcher(HookMatcher.tool('Bash')).with_config({ priority: 1 });
      const engine = new HookEngine();
      engine.register(made);
      for (const known of [made, engine.get_hook('h')]) {
        expect(known).toMatchObject({ ...hook, matcher: { tool: 'Bash' }, config: { priority: 1 } });
      }
    });

    test('priority: the lower runs first, 100 where none is given', async () => {
      const engine = new HookEngine();
      const calls: string[] = [];
      for (const [id, config] of Object.entries({ last: { priority: 101 }, middle: {}, first: { priority: 99 } })) {
        engine.register({ ...hook, id, config });
        engine.register_handler(id, { handle: () => void calls.push(id) });
      }
      await engine.fire(toolUse());
      expect(calls).toEqual(['first', 'middle', 'last']);
    });

    test('timeout_ms: a handler has this time, 30000 ms where none is given', async () => {
      jest.useFakeTimers();
      for (const [config, ms] of [[{ timeout_ms: 50 }, 50] as const, [{}, 30_000] as const]) {
        let end: unknown;
        void fired({ config }, () => new Promise(() => {})).then((result) => {
          end = result;
        });
        await jest.advanceTimersByTimeAsync(ms - 1);
        expect(end).toBeUndefined();
        // Time for the last turn of the event loop, in which an answer may still arrive.
        await jest.advanceTimersByTimeAsync(2);
        expect(end).toMatchObject({ action: 'Continue', warnings: [{ code: 'timeout' }] });
      }
    });

    test('async_execution: a hook that is not waited for means Continue, off where it is not given', async () => {
      let began = () => {};
      const beginning = new Promise<void>((resolve) => {
        began = resolve;
      });
      const block = () => {
        began();
        return { action: 'Block' };
      };
      expect(await fired({ config: { async_execution: true } }, block)).toMatchObject({ action: 'Continue', calls: 0 });
      await beginning;
      expect(await fired({}, block)).toMatchObject({ action: 'Block', calls: 1 });
    });

    test('max_retries: a handler is called again so often, never where none is given', async () => {
      const retry = () => ({ action: 'Retry', retry_delay_ms: 0 });
      expect([(await fired({}, retry)).calls, (await fired({ config: { max_retries: 2 } }, retry)).calls]).toEqual([1, 3]);
    });
  });

  describe('the engine', () => {
    test('new: is made without arguments', () => {
      expect([new HookEngine().hook_count(), HookEngine.new().hook_count()]).toEqual([0, 0]);
    });

    test('register, get_hook, all_hooks, hook_count: knows its hooks', () => {
      const engine = new HookEngine();
      for (const id of ['a', 'b']) engine.register({ ...hook, id });
      expect(engine.all_hooks().map(({ id }) => id)).toEqual(['a', 'b']);
      expect([engine.get_hook('a')?.id, engine.get_hook('c'), engine.hook_count()]).toEqual(['a', null, 2]);
    });

    test('unregister: gives a hook back, or null', () => {
      const engine = new HookEngine();
      engine.register(hook);
      expect([engine.unregister('h')?.id, engine.unregister('h'), engine.hook_count()]).toEqual(['h', null, 0]);
    });

    test('register_handler, unregister_handler, fire: runs a handler while it has one', async () => {
      const engine = new HookEngine();
      engine.register(hook);
      engine.register_handler('h', { handle: () => HookResponse.block('no') });
      expect(await engine.fire(toolUse())).toMatchObject({ action: 'Block', reason: 'no' });
      engine.unregister_handler('h');
      expect(await engine.fire(toolUse())).toMatchObject({ action: 'Continue' });
    });
  });
});

describe('async handlers', () => {
  /** An engine with an asynchronous hook, whose handler answers when the test lets it. */
  function detachedEngine() {
    const engine = new HookEngine();
    let answer: (value: HandlerAnswer) => void = () => {};
    let begin = () => {};
    const answered = new Promise<HandlerAnswer>((resolve) => {
      answer = resolve;
    });
    const began = new Promise<void>((resolve) => {
      begin = resolve;
    });
    engine.register({ id: 'report', event_type: 'pre_tool_use', config: { async_execution: true } });
    engine.register_handler('report', {
      handle: () => {
        begin();
        return answered;
      },
    });
    return { engine, answer, began };
  }

  const lateAnswers: [string, HandlerAnswer, RegExp][] = [
    ['block', { action: 'Block', reason: 'no' }, /block/],
    ['modified', { action: 'Continue', modified: { x: 1 } }, /(modified|rewrote)/],
  ];

  test.each(lateAnswers)(
    'a3s 32: fire does not wait for an async handler, and its %s is a warning that it came too late',
    async (_, late, words) => {
      const { engine, answer, began } = detachedEngine();
      const warned = new Promise<HandlerWarning>((resolve) => engine.warnings$.subscribe(resolve));
      expect(await engine.fire(toolUse())).toEqual({ action: 'Continue', warnings: [] });
      await began;
      answer(late);
      expect(await warned).toEqual({ hook_id: 'report', code: 'late_answer', message: expect.stringMatching(words), late: true });
    },
  );

  test.each(lateAnswers)(
    'a3s 32: an agent does not wait for it either, and its %s is a warning in the late message',
    async (_, late, words) => {
      const { engine, answer, began } = detachedEngine();
      await withHooks({ settings: {}, handlers: [engine] }, async ({ hooks, handler }) => {
        const finished = new Promise<unknown>((resolve) => {
          hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
            if (payload.kind === 'hook-finished') resolve(payload);
          });
        });
        const { verdict, outcomes, changes, finalOutput } = await handler.fireBeforeToolEvent('Bash', {});
        expect(verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
        expect(outcomes).toMatchObject([{ name: 'report', status: 'detached' }]);
        await began;
        answer(late);
        const warning = { code: 'late_answer', message: expect.stringMatching(words) };
        expect(await finished).toMatchObject({ late: true, outcome: { warnings: [warning] } });
        expect([changes, finalOutput?.hookSpecificOutput]).toEqual([[], undefined]);
      });
    },
  );

  test('a3s 32: what an async handler throws is reported, and does no harm', async () => {
    const engine = new HookEngine();
    engine.register({ id: 'report', event_type: 'pre_tool_use', config: { async_execution: true } });
    engine.register_handler('report', {
      handle: () => {
        throw new Error('disk full');
      },
    });
    const warned = new Promise<HandlerWarning>((resolve) => engine.warnings$.subscribe(resolve));
    expect((await engine.fire(toolUse())).action).toBe('Continue');
    expect(await warned).toMatchObject({ code: 'hook_failed', message: expect.stringContaining('disk full'), late: true });
  });

  test('a3s 32: an async handler sees the event as it was at its turn', async () => {
    const { engine } = detachedEngine();
    const seen = new Promise<unknown>((resolve) => {
      engine.register_handler('report', { handle: ({ payload }) => resolve(payload.args) });
    });
    engine.register({ id: 'before', event_type: 'pre_tool_use', config: { priority: 1, recheck: false } });
    engine.register_handler('before', { handle: () => ({ action: 'Continue', modified: { step: 1 } }) });
    engine.register({ id: 'after', event_type: 'pre_tool_use', config: { priority: 1000 } });
    engine.register_handler('after', { handle: () => ({ action: 'Continue', modified: { step: 2 } }) });
    expect(await engine.fire(toolUse())).toMatchObject({ modified: { step: 2 } });
    expect(await seen).toEqual({ step: 1 });
  });
});

describe('JSON', () => {
  const roundTrip = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

  test('a3s 36: a hook survives the way through JSON, and an omitted matcher stays omitted', () => {
    const bare = Hook.new('bare', HookEventType.SessionEnd);
    const full = Hook.new('full', HookEventType.PreToolUse)
      .with_matcher(HookMatcher.tool('Bash').with_command('rm').with_session('s1').with_path('*.rs'))
      .with_config({ priority: -1, onError: 'block' });
    expect(roundTrip(bare)).toEqual({
      id: 'bare',
      event_type: 'session_end',
      config: { priority: 100, timeout_ms: 30_000, async_execution: false, max_retries: 0, onError: 'continue' },
    });
    expect(roundTrip(full).matcher).toEqual({ tool: 'Bash', path_pattern: '*.rs', command_pattern: 'rm', session_id: 's1' });

    const engine = new HookEngine();
    for (const hook of [bare, full]) engine.register(roundTrip(hook));
    expect(engine.all_hooks()).toEqual([bare, full]);
    expect(engine.get_hook('bare')).not.toHaveProperty('matcher');
    expect(Object.keys(roundTrip(HookMatcher.new()))).toEqual([]);
  });

  test('a3s 36: answers are plain data', () => {
    const answers = [
      HookResponse.continue_(),
      HookResponse.continue_with({ x: 1 }),
      HookResponse.block('no'),
      HookResponse.retry(5),
      HookResponse.skip(),
    ];
    expect(roundTrip(answers)).toEqual(answers);
    expect(answers).toEqual([
      { action: 'Continue' },
      { action: 'Continue', modified: { x: 1 } },
      { action: 'Block', reason: 'no' },
      { action: 'Retry', retry_delay_ms: 5 },
      { action: 'Skip' },
    ]);
  });

  describe.each(ways)('%s', (_, fire) => {
    test('a3s 36: an event survives the way through JSON', async () => {
      const engine = new HookEngine();
      const handler = remembering();
      engine.register({ id: 'h', event_type: 'pre_tool_use' });
      engine.register_handler('h', handler);
      const event: HandlerEvent = toolUse();
      await fire(engine, roundTrip(event));
      expect(handler.seen).toEqual([event.payload]);
      expect(roundTrip(handler.seen)).toEqual(handler.seen);
    });
  });
});
