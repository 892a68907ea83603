import {
  type Attributes,
  type Context,
  context as contexts,
  type Meter,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import {
  eventEntry,
  type HookDefinition,
  type HookOutcome,
  type HookTrace,
  type TraceContext,
  type TracedHook,
} from '@tenterhook/protocol';
import { attributes, names } from '../attributes.js';
import { toEnvironment, toTraceContext } from '../carrier.js';
import { errorTypeOf, isFailure } from '../failures.js';
import { decisionOf } from '../metrics.js';
import type { Recorder } from '../recorder.js';
import { safely } from '../safely.js';
import { longestText, shownHook } from '../shown-name.js';
import { toTimestamp } from './clock.js';
import { contentOf } from './content.js';

/** The maximum number of values in an attribute that is a list. */
export const mostValues = 16;

/** The times below which a hook counts as started at once, in milliseconds. */
const noWaitMs = 1;

/** What a run of a hook shares with its event. */
export interface RunOfEvent {
  readonly recorder: Recorder;
  readonly tracer: Tracer | undefined;
  readonly meter: Meter | undefined;
  readonly correlationId: string | undefined;
  /** The context with the span of the event. */
  readonly context: Context;
  /** Adds an event to the span of the event. */
  note(name: string, fields: Attributes, at?: number): void;
  /** Counts a hook that was started. */
  hookStarted(): void;
}

/**
 * Records one run of a hook. The span begins when the environment of the hook is made, because its id is in this environment. So the span
 * includes the wait for a free place, and its event `hook.started` tells when the wait was over.
 */
export class HookSpan implements HookTrace {
  readonly #hook: HookDefinition;
  readonly #event: RunOfEvent;
  readonly #span: Span | undefined;
  readonly #context: Context;
  readonly #beganAt = performance.now();
  readonly #isAgain: boolean;
  #startedAt: number | undefined;

  constructor({ hook, stage }: TracedHook, event: RunOfEvent) {
    const { recorder, tracer, meter, context } = event;
    this.#hook = hook;
    this.#event = event;
    this.#isAgain = stage === undefined;
    this.#span =
      tracer === undefined ? undefined : safely('spans', () => startSpan(tracer, { hook, stage }, event, toTimestamp(this.#beganAt)));
    this.#context = this.#span === undefined ? context : trace.setSpan(context, this.#span);
    if (meter !== undefined) safely('metrics', () => recorder.metrics.queued(meter, hook));
  }

  get context(): TraceContext | undefined {
    return this.#span === undefined || !this.#event.recorder.settings.hookContext ? undefined : toTraceContext(this.#span.spanContext());
  }

  /** Without a valid span, the hook keeps what the process has inherited. */
  get environment(): Readonly<Record<string, string | undefined>> | undefined {
    return this.context === undefined ? undefined : toEnvironment(this.#context);
  }

  get isInInput(): boolean {
    return this.#event.recorder.settings.stdinFields;
  }

  started(): void {
    // An executor may report a start twice.
    if (this.#startedAt !== undefined) return;
    this.#startedAt = performance.now();
    const { meter, recorder } = this.#event;
    if (!this.#isAgain) this.#event.hookStarted();
    if (meter !== undefined) safely('metrics', () => recorder.metrics.left(meter, this.#hook, true));
    const waited = this.#startedAt - this.#beganAt;
    if (waited < noWaitMs) return;
    this.#span?.addEvent(names.started, toTimestamp(this.#startedAt));
    this.#event.note(names.queued, { [attributes.hookId.name]: shownHook(this.#hook).id }, this.#beganAt);
  }

  /** Other values of the program's own context stay, such as a user's name that a function reads. */
  run<Result>(work: () => Result): Result {
    if (this.#span === undefined) return work();
    const baggage = propagation.getBaggage(this.#context);
    const active = trace.setSpan(contexts.active(), this.#span);
    return contexts.with(baggage === undefined ? active : propagation.setBaggage(active, baggage), work);
  }

  ended(outcome: HookOutcome, late: boolean): void {
    const { meter, recorder } = this.#event;
    const isStarted = this.#startedAt !== undefined;
    // The span comes first, and each signal alone, so that an error in one of them does not leave a span open.
    safely('spans', () => this.#endSpan(outcome, late));
    if (meter !== undefined) {
      safely('metrics', () => {
        if (isStarted) recorder.metrics.ended(meter, this.#hook, outcome);
        else recorder.metrics.left(meter, this.#hook, false);
      });
    }
    safely('logs', () => recorder.logs?.hookEnded(this.#hook, outcome, this.#context));
  }

  #endSpan(outcome: HookOutcome, late: boolean): void {
    const span = this.#span;
    if (span === undefined) return;
    try {
      span.setAttributes(endAttributes(this.#hook, outcome, late, this.#event.recorder.settings.content));
      if (isFailure(outcome)) span.setStatus({ code: SpanStatusCode.ERROR });
    } finally {
      // The end of the outcome, so that span and outcome agree. It is rounded there, and must not be later than the end of the event.
      const now = performance.now();
      span.end(toTimestamp(this.#startedAt === undefined ? now : Math.min(now, this.#startedAt + outcome.durationMs)));
    }
  }
}

function startSpan(tracer: Tracer, { hook, stage }: TracedHook, { correlationId, context }: RunOfEvent, startTime: number): Span {
  const { name, kind, attributes: own } = startOf(hook);
  // V8 copies a frozen object by a spread in microseconds.
  const fields: Attributes = Object.assign({}, own);
  if (correlationId !== undefined) fields[attributes.correlationId.name] = correlationId.slice(0, longestText);
  if (stage !== undefined) fields[attributes.hookStage.name] = stage;
  return tracer.startSpan(name, { kind, startTime, attributes: fields }, context);
}

function kindOf({ action, engine }: HookDefinition): SpanKind {
  return action.kind === 'http' || engine !== undefined ? SpanKind.CLIENT : SpanKind.INTERNAL;
}

/** What the span of each run of a hook begins with. */
interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

/** A definition does not change, so this is made once for each hook. */
const starts = new WeakMap<HookDefinition, SpanStart>();

function startOf(hook: HookDefinition): SpanStart {
  let start = starts.get(hook);
  if (start === undefined) {
    const { name = hook.dialect } = shownHook(hook);
    start = { name: `${names.hookSpan} ${name}`, kind: kindOf(hook), attributes: Object.freeze(ownAttributes(hook)) };
    starts.set(hook, start);
  }
  return start;
}

function ownAttributes(hook: HookDefinition): Attributes {
  const { async: isAsync, once, action } = hook;
  const { id, name } = shownHook(hook);
  return {
    [attributes.eventName.name]: hook.eventName,
    [attributes.hookId.name]: id,
    ...(name === undefined ? {} : { [attributes.hookName.name]: name }),
    [attributes.hookDialect.name]: hook.dialect,
    [attributes.hookSource.name]: hook.source,
    [attributes.hookKind.name]: action.kind,
    ...(isAsync === true ? { [attributes.hookAsync.name]: true } : {}),
    ...(once === true ? { [attributes.hookOnce.name]: true } : {}),
    [attributes.hookOnError.name]: hook.onError,
    ...(action.kind === 'http' ? serverOf(action.url) : {}),
  };
}

function serverOf(url: string): Attributes {
  try {
    const { hostname, protocol } = new URL(url);
    return { [attributes.serverAddress.name]: hostname, [attributes.urlScheme.name]: protocol.slice(0, -1) };
  } catch {
    return {};
  }
}

function endAttributes(hook: HookDefinition, outcome: HookOutcome, late: boolean, withContent: boolean): Attributes {
  const decision = decisionOf(outcome);
  const errorType = errorTypeOf(outcome);
  const { exitCode, stdoutBytes, stderrBytes, warnings } = outcome;
  const fields: Attributes = withContent ? contentAttributes(outcome) : {};
  fields[attributes.hookStatus.name] = outcome.status;
  if (decision !== undefined) fields[attributes.hookDecision.name] = decision;
  if (rewrites(hook, outcome)) fields[attributes.hookRewrote.name] = true;
  if (outcome.failedClosed === true) fields[attributes.hookFailedClosed.name] = true;
  if (late) fields[attributes.hookLate.name] = true;
  if (stdoutBytes !== undefined) fields[attributes.stdoutSize.name] = stdoutBytes;
  if (stderrBytes !== undefined) fields[attributes.stderrSize.name] = stderrBytes;
  if (warnings.length > 0) fields[attributes.hookWarnings.name] = warnings.slice(0, mostValues).map(({ code }) => code);
  if (exitCode !== undefined) fields[attributes.exitCode.name] = exitCode;
  if (errorType !== undefined) fields[attributes.errorType.name] = errorType;
  return fields;
}

function contentAttributes({ stdin, stdout, stderr }: HookOutcome): Attributes {
  return {
    ...(stdin === undefined ? {} : { [attributes.hookStdin.name]: contentOf(stdin) }),
    ...(stdout === undefined ? {} : { [attributes.hookStdout.name]: contentOf(stdout) }),
    ...(stderr === undefined ? {} : { [attributes.hookStderr.name]: contentOf(stderr) }),
  };
}

function rewrites({ eventName }: HookDefinition, { output }: HookOutcome): boolean {
  return eventEntry(eventName).rewrites.some(({ field }) => output?.hookSpecificOutput?.[field] !== undefined);
}
