import {
  type Attributes,
  type Context,
  context as contexts,
  type Meter,
  propagation,
  ROOT_CONTEXT,
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
import { shownHook } from '../shown-name.js';
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
  /** As it is shown. */
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
  #context: Context | undefined;
  readonly #beganAt = performance.now();
  readonly #isAgain: boolean;
  #startedAt: number | undefined;

  constructor({ hook, stage }: TracedHook, event: RunOfEvent) {
    const { recorder, tracer, meter } = event;
    this.#hook = hook;
    this.#event = event;
    this.#isAgain = stage === undefined;
    this.#span =
      tracer === undefined ? undefined : safely('spans', () => startSpan(tracer, { hook, stage }, event, toTimestamp(this.#beganAt)));
    if (meter !== undefined) safely('metrics', () => recorder.metrics.queued(meter, hook));
  }

  get context(): TraceContext | undefined {
    return this.#span === undefined || !this.#event.recorder.settings.hookContext ? undefined : toTraceContext(this.#span.spanContext());
  }

  /** Without a valid span, the hook keeps what the process has inherited. */
  get environment(): Readonly<Record<string, string | undefined>> | undefined {
    return this.context === undefined ? undefined : toEnvironment(this.#within());
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
    const active = contexts.active();
    if (active === ROOT_CONTEXT) return contexts.with(this.#within(), work);
    const baggage = propagation.getBaggage(this.#event.context);
    const own = trace.setSpan(active, this.#span);
    return contexts.with(baggage === undefined ? own : propagation.setBaggage(own, baggage), work);
  }

  responded(status: number): void {
    safely('spans', () => this.#span?.setAttribute(attributes.responseStatus.name, status));
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
    const { logs } = recorder;
    if (logs !== undefined) safely('logs', () => logs.hookEnded(this.#hook, outcome, this.#within()));
  }

  /** The context with the span of this run. It is made when it is needed, because it takes as long as the start of a span. */
  #within(): Context {
    const { context } = this.#event;
    this.#context ??= this.#span === undefined ? context : trace.setSpan(context, this.#span);
    return this.#context;
  }

  #endSpan(outcome: HookOutcome, late: boolean): void {
    const span = this.#span;
    if (span === undefined) return;
    try {
      if (span.isRecording()) describeEnd(span, this.#hook, outcome, late);
      if (this.#event.recorder.settings.content && span.isRecording()) addContent(span, outcome);
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
  if (correlationId !== undefined) fields[attributes.correlationId.name] = correlationId;
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

/** Adds what is known at the end. One attribute after another: the SDK would have to read an object with all of them again. */
function describeEnd(span: Span, hook: HookDefinition, outcome: HookOutcome, late: boolean): void {
  const { exitCode, stdoutBytes, stderrBytes, warnings } = outcome;
  const decision = decisionOf(outcome);
  const errorType = errorTypeOf(outcome);
  span.setAttribute(attributes.hookStatus.name, outcome.status);
  if (decision !== undefined) span.setAttribute(attributes.hookDecision.name, decision);
  if (rewrites(hook, outcome)) span.setAttribute(attributes.hookRewrote.name, true);
  if (outcome.failedClosed === true) span.setAttribute(attributes.hookFailedClosed.name, true);
  if (late) span.setAttribute(attributes.hookLate.name, true);
  if (stdoutBytes !== undefined) span.setAttribute(attributes.stdoutSize.name, stdoutBytes);
  if (stderrBytes !== undefined) span.setAttribute(attributes.stderrSize.name, stderrBytes);
  if (warnings.length > 0) {
    span.setAttribute(
      attributes.hookWarnings.name,
      warnings.slice(0, mostValues).map(({ code }) => code),
    );
  }
  if (exitCode !== undefined) span.setAttribute(attributes.exitCode.name, exitCode);
  if (errorType !== undefined) span.setAttribute(attributes.errorType.name, errorType);
  if (isFailure(outcome)) span.setStatus({ code: SpanStatusCode.ERROR });
}

function addContent(span: Span, { stdin, stdout, stderr }: HookOutcome): void {
  if (stdin !== undefined) span.setAttribute(attributes.hookStdin.name, contentOf(stdin));
  if (stdout !== undefined) span.setAttribute(attributes.hookStdout.name, contentOf(stdout));
  if (stderr !== undefined) span.setAttribute(attributes.hookStderr.name, contentOf(stderr));
}

function rewrites({ eventName }: HookDefinition, { output }: HookOutcome): boolean {
  const specific = output?.hookSpecificOutput;
  return specific !== undefined && eventEntry(eventName).rewrites.some(({ field }) => specific[field] !== undefined);
}
