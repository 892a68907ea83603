import { rmSync } from 'node:fs';
import { HookEngine, type HookResult } from '@tenterhook/handlers';
import fc from 'fast-check';
import { createHooks, type Hooks } from 'tenterhook';
import { meaningOf, toolUse } from '../handlers-acceptance/both-ways.js';
import { freshDirectory } from '../support/fire-hooks.js';

/** An engine alone, an agent that the engine is part of, and the rules by their letter: one meaning, whatever the handlers are. */

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
  // What it says at each call, the last one again and again. Mostly words that let the next one have its turn.
  says: fc.array(fc.oneof(fc.constantFrom('continue' as const, 'modified' as const, 'nothing' as const), fc.constantFrom(...words)), {
    minLength: 1,
    maxLength: 3,
  }),
});
type AnyHandler = typeof anyHandler extends fc.Arbitrary<infer Value> ? Value : never;

interface Meaning {
  readonly action: HookResult['action'];
  readonly modified?: unknown;
  /** Who answered what was not waited for is left out: nobody can tell when. */
  readonly calls: readonly string[];
  readonly warned: readonly string[];
  readonly blockedBy?: string;
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
        if (!async_execution) calls.push(`${id} ${JSON.stringify(payload.args)}`);
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

/** The rules of dispatch by their letter, and none of the code that is tested. */
function meant(handlers: readonly AnyHandler[]): Meaning {
  const told: string[] = [];
  const warned: string[] = [];
  let args: unknown = toolUse().payload.args;
  let modified: unknown;
  const inOrder = handlers.map((handler, index) => ({ handler, id: `h${index}` })).sort((a, b) => a.handler.priority - b.handler.priority);
  const end = (action: Meaning['action'], more: object = {}): Meaning => ({ action, calls: told, warned, ...more });
  const goOn = () => end('Continue', modified === undefined ? {} : { modified });
  for (const { handler, id } of inOrder) {
    if (!handler.hasHandler || handler.tool === 'Read' || handler.async_execution) continue;
    for (let attempt = 0; attempt <= handler.max_retries; attempt += 1) {
      told.push(`${id} ${JSON.stringify(args)}`);
      const said = wordAt(handler, attempt);
      const isLast = attempt === handler.max_retries;
      const isFailure = said === 'throw' || said === 'reject' || said === 'nonsense';
      if (isFailure) warned.push('hook_failed');
      if ((isFailure || said === 'retry') && !isLast) continue;
      if (isFailure && handler.onError === 'block') return end('Block', { blockedBy: id });
      if (said === 'block' || said === 'block without reason') return end('Block', { blockedBy: id });
      if (said === 'retry') return end('Retry');
      if (said === 'skip') return goOn();
      if (said === 'modified') {
        modified = { by: id };
        args = modified;
      }
      break;
    }
  }
  return goOn();
}

function found(result: HookResult, told: readonly string[], blockedBy: string | undefined): Meaning {
  const codes = result.warnings.map(({ code }) => code).filter((code) => code === 'hook_failed');
  return {
    action: result.action,
    calls: told,
    // How often is not compared: an outcome says the same thing once.
    warned: [...new Set(codes)],
    ...(result.action === 'Continue' && result.modified !== undefined ? { modified: result.modified } : {}),
    ...(blockedBy === undefined ? {} : { blockedBy }),
  };
}

test(
  'engine.fire, an agent and the rules mean the same for any handlers',
  async () => {
    const property = fc.asyncProperty(fc.array(anyHandler, { maxLength: 6 }), async (handlers) => {
      const expected = meant(handlers);
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
        if (result.outcomes.some(({ failedClosed }) => failedClosed)) {
          for (const { reason } of [alone, agents]) expect(reason).toMatch(new RegExp(`${decider}.*onError: block.*(it broke|Maybe)`));
        } else expect(alone.reason).toBe(agents.reason);
      }
      if (alone.action === 'Retry' && agents.action === 'Retry') expect(alone.retry_delay_ms).toBe(agents.retry_delay_ms);
      expect(result.outcomes).toHaveLength(handlers.length);
      expect(result.verdict.kind).toBe(expected.action === 'Continue' ? 'none' : 'deny');
    });
    await fc.assert(property, { numRuns });
  },
  patienceMs,
);
