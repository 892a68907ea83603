import { freezeDeeply, isPlainObject } from '@tenterhook/runtime/json';
import type { ErrorCode } from '../codes.js';
import type { Diagnostic } from '../hooks/diagnostic.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { ResponseError } from '../messages/fields.js';
import type { HookOutcome } from '../results/outcome.js';
import { attempt } from './attempt.js';
import type { EventTrace, HookTrace, HookTracing, ToolTrace, TracedAnswer, TracedEvent, TracedHook, TracedTool } from './hook-tracing.js';
import { readTraceContext, type TraceContext } from './trace-context.js';

type EventResult = NonNullable<Parameters<EventTrace['end']>[1]>;

/** The codes of requests that no service has carried out or recorded. */
const refusedBefore: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['overloaded', 'no_responders', 'invalid_request', 'unsupported_event']);

/**
 * A `HookTracing` that cannot change what hooks decide. Its methods never throw and never wait, and the tracing of the host receives nothing
 * that it could change. So callers need no `try`.
 */
export class ContainedTracing {
  readonly #tracing: HookTracing;

  constructor(tracing: HookTracing) {
    this.#tracing = tracing;
  }

  outgoing(): TraceContext | undefined {
    return attempt('outgoing()', () => readTraceContext(this.#tracing.outgoing?.()));
  }

  begin(event: Omit<TracedEvent, 'input'>, input: Readonly<Record<string, unknown>>): ContainedEvent | undefined {
    const trace = attempt('begin()', () => this.#tracing.begin(new ShownEvent(event, input)));
    return isObject(trace) ? new ContainedEvent(trace) : undefined;
  }

  /** Records an event that its requester could not have carried out. A service records the other failures. */
  refused(event: Omit<TracedEvent, 'input' | 'correlationId'>, input: unknown, error: ResponseError, isDisposed: boolean): void {
    if (!isDisposed && !refusedBefore.has(error.code)) return;
    this.begin({ ...event, correlationId: undefined }, isPlainObject(input) ? input : {})?.end({ success: false, error }, undefined);
  }

  /** Runs the work exactly once, whatever the tracing does. */
  within<Result>(context: TraceContext | undefined, work: () => Result): Result {
    if (context === undefined) return work();
    return runOnce('within()', (once) => this.#tracing.within?.(context, once), work);
  }

  tool(call: TracedTool): ToolTrace | undefined {
    const trace = attempt('tool()', () => this.#tracing.tool?.(call));
    return isObject(trace) ? new ContainedTool(trace) : undefined;
  }

  settings(diagnostics: readonly Diagnostic[]): void {
    attempt('settings()', () => this.#tracing.settings?.(freezeDeeply(diagnostics.map(copyDeeply))));
  }
}

/** An event with a copy of its input. It is made when it is read, because most events are not recorded. */
class ShownEvent implements TracedEvent {
  readonly eventName: string;
  readonly correlationId: string | undefined;
  readonly trace: TraceContext | undefined;
  readonly startedAt: number;
  readonly #input: Readonly<Record<string, unknown>>;

  constructor({ eventName, correlationId, trace, startedAt }: Omit<TracedEvent, 'input'>, input: Readonly<Record<string, unknown>>) {
    this.eventName = eventName;
    this.correlationId = correlationId;
    this.trace = trace;
    this.startedAt = startedAt;
    this.#input = input;
  }

  /** An assignment to a nested value has no effect. Nested values are copied when they are read: most tracings read a few short fields. */
  get input(): Readonly<Record<string, unknown>> {
    const shown = { ...this.#input };
    for (const [name, value] of Object.entries(shown)) {
      if (typeof value !== 'object' || value === null) continue;
      Object.defineProperty(shown, name, { enumerable: true, get: () => copyDeeply(value), set: () => {} });
    }
    return shown;
  }
}

/** A definition does not change, so its copy is made once, and a tracing can use it as a key. */
const shownDefinitions = new WeakMap<HookDefinition, HookDefinition>();

/**
 * Returns a frozen copy of a definition. Freezing the definition itself was rejected: it belongs to its source, which may be one of the host.
 * The data of the dialect is left out. It contains objects of other libraries, and the values of variables.
 */
function shownDefinition(hook: HookDefinition): HookDefinition {
  let shown = shownDefinitions.get(hook);
  if (shown === undefined) {
    shown = freezeDeeply(copyDeeply({ ...hook, dialectData: undefined }));
    shownDefinitions.set(hook, shown);
  }
  return shown;
}

const succeeded: TracedAnswer = Object.freeze({ success: true });

/** The error is also in the response, and decides what a failed request means. */
function shownAnswer(answer: TracedAnswer): TracedAnswer {
  return answer.success ? succeeded : Object.freeze({ ...answer, error: freezeDeeply(answer.error) });
}

function copyDeeply<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyDeeply) as Value;
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyDeeply(item)])) as Value;
}

/** An `EventTrace` that changes nothing. */
export class ContainedEvent {
  readonly #trace: EventTrace;

  constructor(trace: EventTrace) {
    this.#trace = trace;
  }

  hook(traced: TracedHook): ContainedHook | undefined {
    const trace = attempt('hook()', () => this.#trace.hook({ ...traced, hook: shownDefinition(traced.hook) }));
    return isObject(trace) ? new ContainedHook(trace) : undefined;
  }

  circuitChanged(hook: HookDefinition, state: Parameters<NonNullable<EventTrace['circuitChanged']>>[1]): void {
    attempt('circuitChanged()', () => this.#trace.circuitChanged?.(shownDefinition(hook), state));
  }

  /** The bus checks the context before it sends it. */
  end(...[answer, result]: Parameters<EventTrace['end']>): TraceContext | undefined {
    return attempt('end()', () => this.#trace.end(shownAnswer(answer), result === undefined ? undefined : shownResult(result)));
  }
}

/** A `HookTrace` that changes nothing. */
export class ContainedHook {
  readonly #trace: HookTrace;

  constructor(trace: HookTrace) {
    this.#trace = trace;
  }

  get context(): TraceContext | undefined {
    return attempt('context()', () => readTraceContext(this.#trace.context));
  }

  /** A variable without a value is removed. */
  get environment(): Readonly<Record<string, string | undefined>> | undefined {
    return attempt('environment()', () => possibleVariables(this.#trace.environment));
  }

  get isInInput(): boolean {
    return attempt('isInInput()', () => this.#trace.isInInput) === true;
  }

  started(): void {
    attempt('started()', () => this.#trace.started());
  }

  run<Result>(work: () => Result): Result {
    return runOnce('run()', (once) => this.#trace.run?.(once), work);
  }

  responded(status: number): void {
    attempt('responded()', () => this.#trace.responded?.(status));
  }

  /**
   * The outcome is frozen, as it will be in the response. A copy was rejected: it took a microsecond, and the bus froze the outcome all the
   * same.
   */
  ended(outcome: HookOutcome, late: boolean): void {
    attempt('ended()', () => this.#trace.ended(freezeDeeply(outcome), late));
  }
}

/**
 * Returns the parts of a result that a tracing reads, frozen. The response shares them, so the bus does not have to freeze them again. The
 * other parts, such as the instance of a class in `finalOutput`, are not in the response, and freezing them would be additional work.
 */
function shownResult({ verdict, outcomes, changes }: EventResult): EventResult {
  return { verdict: freezeDeeply(verdict), outcomes: freezeDeeply(outcomes), changes: freezeDeeply(changes) };
}

/** A `ToolTrace` that changes nothing. */
class ContainedTool implements ToolTrace {
  readonly #trace: ToolTrace;

  constructor(trace: ToolTrace) {
    this.#trace = trace;
  }

  run<Result>(work: () => Result): Result {
    return runOnce('run()', (once) => this.#trace.run(once), work);
  }

  ended(end: Parameters<ToolTrace['ended']>[0]): void {
    attempt('ended()', () => this.#trace.ended(end));
  }
}

/** A process cannot have other variables, and would not be started with them. */
function possibleVariables(given: HookTrace['environment']): Readonly<Record<string, string | undefined>> | undefined {
  if (!isObject(given)) return undefined;
  const isPossible = ([name, value]: readonly [string, unknown]) =>
    name !== '' && !/[=\0]/.test(name) && (value === undefined || (typeof value === 'string' && !value.includes('\0')));
  return Object.fromEntries(Object.entries(given).filter(isPossible));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Runs the work exactly once, even if the method of the host throws or does not call it. Returns and throws what the work does. */
function runOnce<Result>(method: string, call: (once: () => void) => unknown, work: () => Result): Result {
  let isBegun = false;
  let failure: { readonly error: unknown } | undefined;
  let value: Result | undefined;
  const once = () => {
    if (isBegun) return;
    isBegun = true;
    try {
      value = work();
    } catch (error) {
      failure = { error };
    }
  };
  attempt(method, () => call(once));
  once();
  if (failure !== undefined) throw failure.error;
  return value as Result;
}
