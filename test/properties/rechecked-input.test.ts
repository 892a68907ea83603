import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import { HookEngine } from '@tenterhook/handlers';
import {
  type Dialect,
  type HookDefinition,
  type HookEventName,
  type HookExecutor,
  type HookLevel,
  type HookOutput,
  type HookSource,
  hookLevels,
} from '@tenterhook/protocol';
import fc from 'fast-check';
import { createHooks, type Hooks } from 'tenterhook';

/**
 * Property: every guard that matches the input with which a tool runs has received that input, and none of them objected. The hooks rewrite
 * side by side, one after another, as handlers, through a real server or in the background, also where the user would be asked. They have any
 * level. The hooks are functions, because processes would permit only a few runs a second.
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
  /** The administrator's if it is a handler. */
  readonly level: HookLevel;
  readonly fitsOnly: number | undefined;
  /** A condition may fit what other hooks rewrite, and is tested again before the hook's turn. A matcher is not. */
  readonly by: 'condition' | 'matcher';
  /** It is a request to the server of the test. */
  readonly isRequest: boolean;
  /** Nothing waits for it, so it cannot object. */
  readonly isBackground: boolean;
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
const seldom = fc.nat({ max: 7 }).map((number) => number === 0);
const anyHook: fc.Arbitrary<AnyHook> = fc.record({
  kind: fc.constantFrom('side by side' as const, 'in a row' as const, 'handler' as const, 'permission' as const),
  level: fc.constantFrom(...hookLevels),
  fitsOnly: fc.option(digit, { nil: undefined, freq: 2 }),
  by: fc.constantFrom('condition' as const, 'matcher' as const),
  isRequest: seldom,
  isBackground: seldom,
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
let detached = 0;
let hooks: Hooks;
let definitions: HookDefinition[] = [];
const listeners = new Set<() => void>();
const engine = new HookEngine();

const isPermissionOrHandler = ({ kind }: AnyHook) => kind === 'permission' || kind === 'handler';
const answerOf = ({ answers }: AnyHook, { a, b }: Input) => answers[a * 3 + b] as Answer;
const fits = ({ fitsOnly }: AnyHook, { a }: Input) => fitsOnly === undefined || fitsOnly === a;
const isBackground = ({ kind, onError, ...hook }: AnyHook) => hook.isBackground && kind !== 'handler' && onError === 'continue';
/** A server that answers in the background would answer for a hook of the next event. */
const isRequest = (hook: AnyHook) => hook.isRequest && hook.kind !== 'handler' && !isBackground(hook);
const levelOf = ({ level }: AnyHook) => hookLevels.indexOf(level);
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
  // Nothing that a hook in the background says counts, and it may say it during the next event.
  if (isBackground(hook)) detached += 1;
  else calls.push({ hook, shown, answer: said, left });
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
        : {
            run: false,
            skipReason: (hook.dialectData as AnyHook).by,
            reason: 'it does not fit',
            ...((hook.dialectData as AnyHook).by === 'condition' ? { reconsider: true } : {}),
          },
    invocation: (event, { id, action }) =>
      action.kind === 'http'
        ? { kind: 'http', url: action.url, headers: {}, body: JSON.stringify(event.input['tool_input']) }
        : { kind: 'call', handlerId: id, argument: event.input['tool_input'] },
    decode(exit) {
      if (exit.kind === 'answered') return { output: exit.answer as HookOutput, warnings: [] };
      if (exit.kind === 'response' && exit.status === 200) return { output: JSON.parse(exit.body) as HookOutput, warnings: [] };
      return { failure: { code: 'http_status', message: 'it broke' }, warnings: [] };
    },
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
    const said = ask(dialectData as AnyHook, invocation.argument as Input);
    if (said.fails) throw new Error('it broke');
    return { kind: 'answered', answer: outputOf(said), durationMs: 0 };
  },
};

function outputOf({ decision, patch: tool_input }: Answer): HookOutput {
  return { ...(decision ? { decision } : {}), ...(tool_input ? { hookSpecificOutput: { tool_input } } : {}) };
}

/** Answers for the hook whose place is the path of the request. */
let requests = 0;
const server = createServer(async (request, response) => {
  requests += 1;
  const body = (await request.toArray()).join('');
  const said = ask(current[Number(request.url?.slice(1))] as AnyHook, JSON.parse(body) as Input);
  response.statusCode = said.fails ? 500 : 200;
  response.end(JSON.stringify(outputOf(said)));
});
let current: readonly AnyHook[] = [];
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = { allowPrivateAddresses: ['127.0.0.1'] };
  hooks = await createHooks({ settings: {}, handlers: [engine], sessionId: 's1', http, advanced: { sources, executors: [executor] } });
});
afterAll(async () => {
  await hooks.dispose();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function configure(generated: readonly AnyHook[]): void {
  for (const { id } of engine.allHooks()) engine.unregister(id);
  definitions = [];
  current = generated;
  for (const [index, hook] of generated.entries()) {
    if (hook.kind === 'handler') registerHandler(`h${index}`, hook);
    else definitions.push(definitionOf(`h${index}`, index, hook));
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

function definitionOf(id: string, index: number, hook: AnyHook): HookDefinition {
  const isPermission = hook.kind === 'permission';
  const eventName: HookEventName = isPermission ? 'PermissionRequest' : 'BeforeTool';
  return {
    id,
    dialect: isPermission ? 'in a row' : hook.kind,
    source: hook.level,
    eventName,
    dialectEvent: eventName,
    timeoutMs: 60_000,
    onError: hook.onError,
    ...(hook.recheck ? {} : { recheck: false as const }),
    ...(isBackground(hook) ? { async: true as const } : {}),
    action: isRequest(hook)
      ? { kind: 'http', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${index}`, headers: {}, allowedEnvVars: [] }
      : { kind: 'call', handlerId: id },
    dialectData: hook,
  };
}

test(
  'the input that a tool runs with was shown to every guard that fits it, and none of them objected',
  async () => {
    let ran = 0;
    let rewritten = 0;
    let questions = 0;
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
          if (!isAskedFor || !hook.recheck || isBackground(hook) || !fits(hook, final)) continue;
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
        // A hook never answers what a hook of a higher level asks about this input: the user does.
        const asking = calls.filter(({ hook, answer: said, left }) => {
          return !isPermissionOrHandler(hook) && said.decision === 'ask' && !said.fails && isSame(left, final);
        });
        if (asking.length === 0) return;
        questions += 1;
        const highest = Math.max(...asking.map(({ hook }) => levelOf(hook)));
        const isAnswered = calls.some(({ hook, answer: said, left }) => {
          return hook.kind === 'permission' && levelOf(hook) >= highest && said.decision === 'allow' && !said.fails && isSame(left, final);
        });
        if (!isAnswered) expect(asked).toContainEqual(final);
      },
    );
    await fc.assert(property, { numRuns });
    expect(ran).toBeGreaterThan(0);
    expect(rewritten).toBeGreaterThan(0);
    // Rare in few runs.
    if (ran > 1000) for (const count of [requests, detached, questions]) expect(count).toBeGreaterThan(0);
  },
  patienceMs,
);
