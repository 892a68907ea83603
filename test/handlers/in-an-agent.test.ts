import { rmSync } from 'node:fs';
import { callModelWithHooks, createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { HookEngine, type HookResult } from '@tenterhook/handlers';
import type { Dialect, HookDefinition, HookExecutor, HookSource } from '@tenterhook/protocol';
import fc from 'fast-check';
import { createHooks, type Hooks } from 'tenterhook';
import { recordingTool } from '../support/agent.js';
import { freshDirectory, withEndingHooks } from '../support/fire-hooks.js';
import { type PlainRequest, plainTranslator } from '../support/plain-translator.js';
import { meaningOf, toolUse } from './both-ways.js';
import { engineWith, keeping, withHandlers } from './engine-scene.js';

describe('calls of an agent', () => {
  /** Tests what an agent does with the answers of handlers. */

  test('a call that a handler put off is put before it again as it was, and runs with the input of the agent', async () => {
    const seen: unknown[] = [];
    // biome-ignore lint/suspicious/noExplicitAny: it does what no type allows.
    const puts = ({ payload }: { payload: any }) => {
      seen.push(structuredClone(payload.args));
      payload.args.command = 'changed';
      return seen.length === 1 ? { action: 'Retry' as const, retry_delay_ms: 0 } : undefined;
    };
    await withHandlers({ puts: ['pre_tool_use', puts] }, async ({ hooks }) => {
      const tool = recordingTool();
      const { status } = await executeToolWithHooks(createHookClient(hooks), { name: 'Bash', input: { command: 'ls' }, ...tool });
      expect([status, seen, tool.calls]).toEqual(['executed', [{ command: 'ls' }, { command: 'ls' }], [{ command: 'ls' }]]);
    });
  });

  test('a handler that puts a call off each time blocks it, and the agent learns when to come again', async () => {
    await withHandlers({ puts: ['pre_tool_use', { action: 'Retry', retry_delay_ms: 0 }] }, async ({ hooks }) => {
      const tool = recordingTool();
      const call = { name: 'Bash', input: {}, maxRetries: 2, ...tool };
      expect(await executeToolWithHooks(createHookClient(hooks), call)).toMatchObject({ status: 'blocked', retryAfterMs: 0 });
      expect(tool.calls).toEqual([]);
    });
  });

  test('a tool gets the arguments that handlers left, and not those that they left out', async () => {
    const modified = { command: 'ls -l' };
    await withHandlers({ change: ['pre_tool_use', { action: 'Continue', modified }] }, async ({ hooks }) => {
      const tool = recordingTool();
      await executeToolWithHooks(createHookClient(hooks), { name: 'Bash', input: { command: 'ls', timeout: 5 }, ...tool });
      expect(tool.calls).toEqual([modified]);
    });
  });

  test('a model that a handler blocks is not called', async () => {
    await withHandlers({ guard: ['generate_start', { action: 'Block', reason: 'over budget' }] }, async ({ hooks }) => {
      let calls = 0;
      const request: PlainRequest = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }], tools: [] };
      const call = () => {
        calls += 1;
        return { text: 'hi' };
      };
      const finished = await callModelWithHooks(createHookClient(hooks), { request, translator: plainTranslator(), call });
      expect([finished.status, finished.reason, calls]).toEqual(['blocked', 'over budget', 0]);
    });
  });

  test('a tool that has run stays run when a handler blocks afterwards, and the model reads the reason', async () => {
    await withHandlers({ late: ['post_tool_use', { action: 'Block', reason: 'not like this' }] }, async ({ hooks }) => {
      const tool = recordingTool({ llmContent: 'out' });
      const { status, result } = await executeToolWithHooks(createHookClient(hooks), { name: 'Bash', input: {}, ...tool });
      expect([status, result.llmContent]).toEqual(['executed', 'out\n\nnot like this']);
    });
  });
});

describe('an audit that redacts', () => {
  /** Arguments with a secret at a greater depth than the recursive copy reaches. */
  function argsWith(secret: string, depth: number): Record<string, unknown> {
    let args: Record<string, unknown> = { secret };
    for (let each = 0; each < depth; each += 1) args = { args };
    return args;
  }

  function innermost(args: Record<string, unknown>): Record<string, unknown> {
    let inner = args;
    while (inner['args'] !== undefined) inner = inner['args'] as Record<string, unknown>;
    return inner;
  }

  test.each([1, 150])(
    'an audit handler that redacts its copy, %d deep, blinds neither the guard after it nor a command hook',
    async (depth) => {
      const audit = ({ payload }: { payload: { args: Record<string, unknown> } }) => {
        innermost(payload.args)['secret'] = '***';
      };
      const guard = keeping();
      const settings = {
        hooks: { BeforeTool: [{ hooks: [{ name: 'grep', command: 'grep -q hunter2 && { echo secret >&2; exit 2; }; true' }] }] },
      };
      await withHandlers(
        { audit: ['pre_tool_use', audit, { config: { priority: 1 } }], guard: ['pre_tool_use', guard.handle] },
        async ({ handler }) => {
          const input = argsWith('hunter2', depth);
          const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', input);
          expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'blocked']);
          expect(verdict).toMatchObject({ kind: 'deny', reason: 'secret' });
          expect(innermost(guard.payloads[0].args)).toEqual({ secret: 'hunter2' });
          expect(innermost(input)).toEqual({ secret: 'hunter2' });
        },
        { settings },
      );
    },
  );
});

describe('functions of the host', () => {
  /** A dialect as a host with its own hooks would write it: its hooks are calls, and an executor runs them. */
  const dialect: Dialect = {
    name: 'host',
    locations: () => [],
    parse: () => ({ hooks: [], diagnostics: [] }),
    layOut: (hooks) => [{ hooks }],
    select: () => ({ run: true, reason: 'it always runs' }),
    invocation: (_event, hook) => ({ kind: 'call', handlerId: hook.id, argument: undefined }),
    decode: () => ({ warnings: [] }),
  };
  const definition: HookDefinition = {
    id: 'mine',
    dialect: 'host',
    source: 'handler',
    eventName: 'BeforeTool',
    dialectEvent: 'BeforeTool',
    timeoutMs: 60_000,
    onError: 'continue',
    action: { kind: 'call', handlerId: 'mine' },
    dialectData: undefined,
  };
  const source: HookSource = {
    dialect,
    hooksFor: (eventName) => (eventName === 'BeforeTool' ? [definition] : []),
    changes$: { subscribe: () => ({ unsubscribe() {} }) },
  };

  test.each(['handlers', 'sources'])(
    'an executor of the kind "call" beside an engine that is given as %s: each runs its own',
    async (place) => {
      const ran: string[] = [];
      const executor: HookExecutor = {
        kind: 'call',
        async run(_invocation, { id }, _event, { onStart }) {
          onStart();
          ran.push(id);
          return { kind: 'answered', answer: undefined, durationMs: 0 };
        },
      };
      const { payloads, handle } = keeping();
      const engine = engineWith({ theirs: ['pre_tool_use', handle] });
      const engines =
        place === 'handlers'
          ? { handlers: [engine], advanced: { sources: [source], executors: [executor] } }
          : { advanced: { sources: [engine, source], executors: [executor, engine] } };
      await withEndingHooks({ settings: {}, ...engines }, async ({ handler }) => {
        const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
        expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
      });
      expect([ran, payloads.length]).toEqual([['mine'], 1]);
    },
  );
});

describe('exit code', () => {
  const shell = { name: 'Bash', input: { command: 'make' }, execute: () => ({ llmContent: 'out', exit_code: 3 }) };

  test('the exit code of a shell tool reaches handlers of post_tool_use, and one that they write reaches the agent', async () => {
    const before = keeping({ action: 'Continue', modified: { exit_code: 0 } });
    const after = keeping();
    await withHandlers({ before: ['post_tool_use', before.handle], after: ['post_tool_use', after.handle] }, async ({ hooks }) => {
      const outcome = await executeToolWithHooks(createHookClient(hooks), shell);
      expect(outcome).toMatchObject({ status: 'executed', result: { llmContent: 'out', exit_code: 0 } });
    });
    expect([before, after].map(({ payloads }) => payloads[0].result.exit_code)).toEqual([3, 0]);
  });

  test('it stays where only the text is rewritten, and an invalid number does not count', async () => {
    const redacts = keeping({ action: 'Continue', modified: { output: '***' } });
    await withHandlers({ redacts: ['post_tool_use', redacts.handle] }, async ({ hooks }) => {
      const client = createHookClient(hooks);
      const { result } = await executeToolWithHooks(client, shell);
      expect(result).toMatchObject({ llmContent: '***', exit_code: 3 });
      await executeToolWithHooks(client, { ...shell, execute: () => ({ llmContent: 'out', exit_code: 'three' as never }) });
    });
    expect(redacts.payloads.map(({ result }) => result.exit_code)).toEqual([3, undefined]);
  });
});

describe('the same meaning as a command hook', () => {
  /**
   * Compares an engine alone, an agent with this engine, and a direct implementation of the rules. All must have the same results, whatever
   * the handlers are.
   */

  const numRuns = 500;
  const patienceMs = 120_000;

  type Said = 'continue' | 'modified' | 'block' | 'block without reason' | 'skip' | 'retry' | 'throw' | 'reject' | 'nonsense' | 'nothing';
  const words: readonly Said[] = [
    'continue',
    'modified',
    'block',
    'block without reason',
    'skip',
    'retry',
    'throw',
    'reject',
    'nonsense',
    'nothing',
  ];

  const anyHandler = fc.record({
    priority: fc.integer({ min: -1, max: 1 }),
    tool: fc.constantFrom(undefined, 'Bash', 'Bash', 'Read'),
    onError: fc.constantFrom('continue' as const, 'block' as const),
    max_retries: fc.integer({ min: 0, max: 2 }),
    async_execution: fc.constantFrom(false, false, false, true),
    hasHandler: fc.constantFrom(true, true, true, true, false),
    isPromised: fc.boolean(),
    // The answers at each call; the last one is repeated. Most answers let the next handler run.
    says: fc.array(fc.oneof(fc.constantFrom('continue' as const, 'modified' as const, 'nothing' as const), fc.constantFrom(...words)), {
      minLength: 1,
      maxLength: 3,
    }),
  });
  type AnyHandler = typeof anyHandler extends fc.Arbitrary<infer Value> ? Value : never;

  interface Meaning {
    readonly action: HookResult['action'];
    readonly modified?: unknown;
    /** The handlers that were called. Those that were not awaited are left out, because their time is unknown. */
    readonly calls: readonly string[];
    readonly warned: readonly string[];
    readonly blockedBy?: string;
    readonly isUnstable?: true;
  }

  let calls: string[] = [];
  let engine: HookEngine;
  let hooks: Hooks;
  const projectDir = freshDirectory();
  beforeAll(async () => {
    engine = new HookEngine();
    hooks = await createHooks({ projectDir, settings: {}, handlers: [engine], sessionId: 's1' });
  });
  afterAll(async () => {
    await hooks.dispose();
    rmSync(projectDir, { recursive: true, force: true });
  });

  function register(handlers: readonly AnyHandler[]): void {
    for (const { id } of engine.all_hooks()) engine.unregister(id);
    for (const [index, handler] of handlers.entries()) {
      const { priority, tool, onError, max_retries, async_execution } = handler;
      const id = `h${index}`;
      const config = { priority, onError, max_retries, async_execution };
      engine.register({ id, event_type: 'pre_tool_use', matcher: tool === undefined ? undefined : { tool }, config });
      if (!handler.hasHandler) continue;
      let count = 0;
      engine.register_handler(id, {
        handle: ({ payload }) => {
          const said = wordAt(handler, count);
          count += 1;
          if (!isDetached(handler)) calls.push(`${id} ${JSON.stringify(payload.args)}`);
          const answer = answerOf(said, id);
          if (said === 'throw') throw new Error('it broke');
          return handler.isPromised || said === 'reject' ? answered(said, answer) : (answer as undefined);
        },
      });
    }
  }

  async function answered(said: Said, answer: unknown): Promise<undefined> {
    if (said === 'reject') throw new Error('it broke');
    return answer as undefined;
  }

  function wordAt({ says }: AnyHandler, count: number): Said {
    return says[Math.min(count, says.length - 1)] as Said;
  }

  function answerOf(said: Said, id: string): unknown {
    switch (said) {
      case 'modified':
        return { action: 'Continue', modified: { by: id } };
      case 'block':
        return { action: 'Block', reason: `no, says ${id}` };
      case 'block without reason':
        return { action: 'block' };
      case 'retry':
        return { action: 'Retry', retry_delay_ms: 0 };
      case 'nonsense':
        return { action: 'Maybe' };
      case 'nothing':
        return undefined;
      default:
        return { action: said };
    }
  }

  /** A direct implementation of the rules of dispatch, without the code under test. */
  function meant(handlers: readonly AnyHandler[]): Meaning {
    const reported: string[] = [];
    const warned: string[] = [];
    let args: unknown = toolUse().payload.args;
    let modified: unknown;
    const inOrder = handlers
      .map((handler, index) => ({ handler, id: `h${index}` }))
      .sort((a, b) => a.handler.priority - b.handler.priority);
    const end = (action: Meaning['action'], more: object = {}): Meaning => ({ action, calls: reported, warned, ...more });
    const counts = new Map<string, number>();
    const ask = ({ handler, id }: { handler: AnyHandler; id: string }): Meaning | 'skip' | 'modified' | 'nothing' => {
      for (let attempt = 0; ; attempt += 1) {
        reported.push(`${id} ${JSON.stringify(args)}`);
        const count = counts.get(id) ?? 0;
        counts.set(id, count + 1);
        const said = wordAt(handler, count);
        const isLast = attempt === handler.max_retries;
        const isFailure = said === 'throw' || said === 'reject' || said === 'nonsense';
        if (isFailure) warned.push('hook_failed');
        if ((isFailure || said === 'retry') && !isLast) continue;
        if (isFailure && handler.onError === 'block') return end('Block', { blockedBy: id });
        if (said === 'block' || said === 'block without reason') return end('Block', { blockedBy: id });
        if (said === 'retry') return end('Retry');
        return said === 'skip' || said === 'modified' ? said : 'nothing';
      }
    };
    const takingPart = inOrder.filter(({ handler }) => handler.hasHandler && handler.tool !== 'Read' && !isDetached(handler));
    let beforeLastWriter: typeof takingPart = [];
    for (const [place, one] of takingPart.entries()) {
      const said = ask(one);
      if (typeof said === 'object') return said;
      if (said === 'skip') break;
      if (said !== 'modified') continue;
      modified = { by: one.id };
      args = modified;
      beforeLastWriter = takingPart.slice(0, place);
    }
    // The handlers before the last writer are asked again about its arguments, and must not rewrite them.
    for (const one of beforeLastWriter) {
      const said = ask(one);
      if (typeof said === 'object') return said;
      if (said === 'skip') break;
      if (said === 'modified') return end('Block', { blockedBy: one.id, isUnstable: true });
    }
    return end('Continue', modified === undefined ? {} : { modified });
  }

  /** A guard is always awaited. */
  function isDetached({ async_execution, onError }: AnyHandler): boolean {
    return async_execution && onError === 'continue';
  }

  function found(result: HookResult, reported: readonly string[], blockedBy: string | undefined): Meaning {
    const codes = result.warnings.map(({ code }) => code).filter((code) => code === 'hook_failed');
    return {
      action: result.action,
      calls: reported,
      // How often a warning occurs is not compared, because an outcome reports the same warning once.
      warned: [...new Set(codes)],
      ...(result.action === 'Continue' && result.modified !== undefined ? { modified: result.modified } : {}),
      ...(blockedBy === undefined ? {} : { blockedBy }),
    };
  }

  test(
    'engine.fire, an agent and the rules mean the same for any handlers',
    async () => {
      const property = fc.asyncProperty(fc.array(anyHandler, { maxLength: 6 }), async (handlers) => {
        const { isUnstable, ...expected } = meant(handlers);
        const expectedWarnings = [...new Set(expected.warned)];

        register(handlers);
        calls = [];
        const alone = await engine.fire(toolUse());
        const aloneCalls = calls;
        expect(found(alone, aloneCalls, expected.blockedBy)).toEqual({ ...expected, warned: expectedWarnings });

        register(handlers);
        calls = [];
        const result = await hooks.getEventHandler().fireBeforeToolEvent('Bash', toolUse().payload.args);
        const agents = meaningOf(result, toolUse());
        const decider = result.verdict.by[0]?.split('/').at(-1);
        expect(found(agents, calls, agents.action === 'Block' ? decider : undefined)).toEqual({ ...expected, warned: expectedWarnings });

        if (alone.action === 'Block' && agents.action === 'Block') {
          if (isUnstable) for (const { reason } of [alone, agents]) expect(reason).toMatch(/rewrote (it|them) again/);
          else if (result.outcomes.some(({ failedClosed }) => failedClosed)) {
            for (const { reason } of [alone, agents]) expect(reason).toMatch(new RegExp(`${decider}.*onError: block.*(it broke|Maybe)`));
          } else expect(alone.reason).toBe(agents.reason);
        }
        if (alone.action === 'Retry' && agents.action === 'Retry') expect(alone.retry_delay_ms).toBe(agents.retry_delay_ms);
        expect(result.outcomes.filter(({ recheck }) => !recheck)).toHaveLength(handlers.length);
        expect(result.verdict.kind).toBe(expected.action === 'Continue' ? 'none' : 'deny');
      });
      await fc.assert(property, { numRuns });
    },
    patienceMs,
  );
});
