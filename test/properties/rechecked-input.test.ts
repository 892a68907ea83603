import { createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { HookEngine } from '@tenterhook/handlers';
import type { Dialect, HookDefinition, HookEventName, HookExecutor, HookOutput, HookSource } from '@tenterhook/protocol';
import fc from 'fast-check';
import { createHooks, type Hooks } from 'tenterhook';

/**
 * Property: every guard that matches the input with which a tool runs has received that input, and none of them objected. The hooks rewrite
 * side by side, one after another, or as handlers, also where the user would be asked. The hooks are functions, because processes would
 * permit only a few runs a second.
 */
const numRuns = 10_000;
const patienceMs = 1_800_000;

interface Input {
  readonly a: number;
  readonly b: number;
}
type Decision = 'deny' | 'ask' | 'allow' | undefined;
interface Answer {
  readonly decision: Decision;
  readonly patch: Partial<Input> | undefined;
  readonly fails: boolean;
}
/** `answers` has one answer for each input. */
interface AnyHook {
  readonly kind: 'side by side' | 'in a row' | 'handler' | 'permission';
  readonly fitsOnly: number | undefined;
  readonly recheck: boolean;
  readonly onError: 'continue' | 'block';
  readonly answers: readonly Answer[];
}

const digit = fc.nat({ max: 2 });
const input: fc.Arbitrary<Input> = fc.record({ a: digit, b: digit });
const patch = fc.oneof(fc.record({ a: digit }), fc.record({ b: digit }), input);
const answer: fc.Arbitrary<Answer> = fc.record({
  // Most answers have no decision, because otherwise hardly any tool would run.
  decision: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom<Decision>('deny', 'ask', 'allow', 'allow') },
  ),
  patch: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: patch }),
  fails: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const anyHook: fc.Arbitrary<AnyHook> = fc.record({
  kind: fc.constantFrom('side by side' as const, 'in a row' as const, 'handler' as const, 'permission' as const),
  fitsOnly: fc.option(digit, { nil: undefined, freq: 2 }),
  recheck: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  onError: fc.constantFrom('continue' as const, 'continue' as const, 'block' as const),
  answers: fc.array(answer, { minLength: 9, maxLength: 9 }),
});

interface Call {
  readonly hook: AnyHook;
  readonly shown: Input;
  readonly answer: Answer;
  /** The input as this hook alone would have left it. */
  readonly left: Input;
}

let calls: Call[] = [];
let hooks: Hooks;
let definitions: HookDefinition[] = [];
const listeners = new Set<() => void>();
const engine = new HookEngine();

const answerOf = ({ answers }: AnyHook, { a, b }: Input) => answers[a * 3 + b] as Answer;
const fits = ({ fitsOnly }: AnyHook, { a }: Input) => fitsOnly === undefined || fitsOnly === a;
const isSame = (one: Input, other: Input) => one.a === other.a && one.b === other.b;

/**
 * Records the call and returns the answer. A handler has no matcher for numbers, so it answers nothing for an input that it should not
 * match.
 */
function ask(hook: AnyHook, { a, b }: Input): Answer {
  const shown = { a, b };
  const isFor = hook.kind !== 'handler' || fits(hook, shown);
  const said = isFor ? answerOf(hook, shown) : { decision: undefined, patch: undefined, fails: false };
  const left = said.fails || said.decision === 'deny' ? shown : { ...shown, ...said.patch };
  calls.push({ hook, shown, answer: said, left });
  return said;
}

function dialectOf(name: string, layOut: Dialect['layOut']): Dialect {
  return {
    name,
    locations: () => [],
    parse: () => ({ hooks: [], diagnostics: [] }),
    layOut,
    select: (hook, event) =>
      fits(hook.dialectData as AnyHook, event.input['tool_input'] as Input)
        ? { run: true, reason: 'it fits' }
        : { run: false, skipReason: 'condition', reason: 'it does not fit', reconsider: true },
    invocation: (event, hook) => ({ kind: 'call', handlerId: hook.id, argument: event.input['tool_input'] }),
    decode: (exit) => (exit.kind === 'answered' ? { output: exit.answer as HookOutput, warnings: [] } : { warnings: [] }),
  };
}

const dialects = [
  dialectOf('side by side', (own) => (own.length === 0 ? [] : [{ hooks: own }])),
  dialectOf('in a row', (own) => own.map((hook) => ({ hooks: [hook] }))),
];
const executor: HookExecutor = {
  kind: 'call',
  async run(invocation, { dialectData }, _event, { onStart }) {
    onStart();
    if (invocation.kind !== 'call') throw new TypeError('it was to be called');
    const { decision, patch: tool_input, fails } = ask(dialectData as AnyHook, invocation.argument as Input);
    if (fails) throw new Error('it broke');
    return { kind: 'answered', answer: { decision, ...(tool_input ? { hookSpecificOutput: { tool_input } } : {}) }, durationMs: 0 };
  },
};
const sources = dialects.map(
  (dialect): HookSource => ({
    dialect,
    hooksFor: (eventName) => definitions.filter((hook) => hook.dialect === dialect.name && hook.eventName === eventName),
    changes$: {
      subscribe(listener) {
        listeners.add(listener);
        return { unsubscribe: () => listeners.delete(listener) };
      },
    },
  }),
);

beforeAll(async () => {
  hooks = await createHooks({ settings: {}, handlers: [engine], sessionId: 's1', advanced: { sources, executors: [executor] } });
});
afterAll(() => hooks.dispose());

function configure(generated: readonly AnyHook[]): void {
  for (const { id } of engine.allHooks()) engine.unregister(id);
  definitions = [];
  for (const [index, hook] of generated.entries()) {
    if (hook.kind === 'handler') registerHandler(`h${index}`, hook);
    else definitions.push(definitionOf(`h${index}`, hook));
  }
  for (const listener of listeners) listener();
}

function registerHandler(id: string, hook: AnyHook): void {
  engine.register({ id, event_type: 'pre_tool_use', config: { onError: hook.onError, recheck: hook.recheck } });
  engine.registerHandler(id, {
    handle({ payload }) {
      const { decision, patch: written, fails } = ask(hook, payload.args);
      if (fails) throw new Error('it broke');
      if (decision === 'deny') return { action: 'Block', reason: 'no' };
      return written === undefined ? undefined : { action: 'Continue', modified: { ...payload.args, ...written } };
    },
  });
}

function definitionOf(id: string, hook: AnyHook): HookDefinition {
  const isPermission = hook.kind === 'permission';
  const eventName: HookEventName = isPermission ? 'PermissionRequest' : 'BeforeTool';
  return {
    id,
    dialect: isPermission ? 'in a row' : hook.kind,
    source: 'host',
    eventName,
    dialectEvent: eventName,
    timeoutMs: 60_000,
    onError: hook.onError,
    ...(hook.recheck ? {} : { recheck: false as const }),
    action: { kind: 'call', handlerId: id },
    dialectData: hook,
  };
}

test(
  'the input that a tool runs with was shown to every guard that fits it, and none of them objected',
  async () => {
    let ran = 0;
    let rewritten = 0;
    const property = fc.asyncProperty(
      fc.array(anyHook, { maxLength: 6 }),
      input,
      fc.constantFrom('allow' as const, 'ask' as const),
      async (generated, given, approval) => {
        configure(generated);
        calls = [];
        const asked: unknown[] = [];
        const received: Input[] = [];
        await executeToolWithHooks(createHookClient(hooks), {
          name: 'count',
          input: { ...given },
          approval,
          ask({ input: question }) {
            asked.push(question);
            return 'allow';
          },
          execute(args) {
            received.push(args as unknown as Input);
            return { llmContent: 'done' };
          },
        });
        const [final] = received;
        if (final === undefined) return;
        ran += 1;
        if (!isSame(final, given)) rewritten += 1;

        const wasRequested = calls.some(({ hook }) => hook.kind === 'permission');
        for (const hook of generated) {
          const isAskedFor = hook.kind === 'permission' ? wasRequested : true;
          if (!isAskedFor || !hook.recheck || !fits(hook, final)) continue;
          // The hook has answered for this input: it received or wrote it, and did not change it.
          expect(calls.some((call) => call.hook === hook && isSame(call.left, final))).toBe(true);
        }
        for (const { hook, answer: said } of calls) {
          expect(said.decision === 'deny' && !said.fails).toBe(false);
          expect(said.fails && hook.onError === 'block').toBe(false);
        }
        // An allow is valid only for its input: without an allow for this input, the user is asked.
        const isAllowed = calls.some(({ answer: said, left, hook }) => {
          return hook.kind !== 'handler' && said.decision === 'allow' && !said.fails && isSame(left, final);
        });
        if (approval === 'ask' && !isAllowed) expect(asked).toEqual([final]);
      },
    );
    await fc.assert(property, { numRuns });
    expect(ran).toBeGreaterThan(0);
    expect(rewritten).toBeGreaterThan(0);
  },
  patienceMs,
);
