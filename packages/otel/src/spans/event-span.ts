import { type Attributes, type Context, type Meter, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import {
  type AggregatedHookResult,
  type EventTrace,
  type HookDefinition,
  type HookOutcome,
  type HookTrace,
  isHookEventName,
  type TraceContext,
  type TracedAnswer,
  type TracedEvent,
  type TracedHook,
} from '@tenterhook/protocol';
import { attributes, names } from '../attributes.js';
import { fromTraceContext, toTraceContext } from '../carrier.js';
import type { Recorder } from '../recorder.js';
import { safely } from '../safely.js';
import { shownHook, shownId, shownText } from '../shown-name.js';
import { toTimestamp } from './clock.js';
import { contentOf } from './content.js';
import { HookSpan, mostValues, type RunOfEvent } from './hook-span.js';

type Result = Pick<AggregatedHookResult, 'verdict' | 'outcomes' | 'changes'>;

/** Records one event. Its span is made for the first hook that runs, because most events run none. */
export class EventSpan implements EventTrace, RunOfEvent {
  readonly recorder: Recorder;
  readonly tracer: Tracer | undefined;
  readonly meter: Meter | undefined;
  /** The context of the sender, until there is a span. */
  context: Context;
  readonly #event: TracedEvent;
  #span: Span | undefined;
  /** The number of hooks that were started, without those that were asked again. */
  #started = 0;
  /** Changes of circuits before there is a span. */
  readonly #notes: { readonly name: string; readonly fields: Attributes; readonly at: number }[] = [];
  #isEnded = false;
  #shownId: string | undefined;

  constructor(
    event: TracedEvent,
    parent: TraceContext | undefined,
    recorder: Recorder,
    tracer: Tracer | undefined,
    meter: Meter | undefined,
  ) {
    this.recorder = recorder;
    this.tracer = tracer;
    this.meter = meter;
    this.context = fromTraceContext(parent, recorder.settings.baggage);
    this.#event = event;
  }

  /** Any sender can choose the id. It is masked when it is read, because most events have no span. */
  get correlationId(): string | undefined {
    const { correlationId } = this.#event;
    this.#shownId ??= correlationId === undefined ? undefined : shownText(correlationId);
    return this.#shownId;
  }

  hook(traced: TracedHook): HookTrace {
    if (this.#span === undefined) safely('spans', () => this.#begin());
    return new HookSpan(traced, this);
  }

  circuitChanged(hook: HookDefinition, state: string): void {
    const { meter } = this;
    if (meter !== undefined) safely('metrics', () => this.recorder.metrics.circuitChanged(meter, state));
    this.note(names.circuitChanged, { [attributes.hookId.name]: shownHook(hook).id, [attributes.circuitState.name]: state });
  }

  hookStarted(): void {
    this.#started += 1;
  }

  note(name: string, fields: Attributes, at = performance.now()): void {
    if (this.#isEnded) return;
    if (this.#span === undefined) this.#notes.push({ name, fields, at });
    else this.#span.addEvent(name, fields, toTimestamp(at));
  }

  end(answer: TracedAnswer, result: Result | undefined): TraceContext | undefined {
    const errorType = codeOf(answer);
    const endedAt = performance.now();
    const { eventName, startedAt } = this.#event;
    const { recorder, meter } = this;
    // The span comes first, and each signal alone, so that an error in one of them does not leave a span open.
    const context = safely('spans', () => this.#endSpan(answer, result, errorType, endedAt));
    if (meter !== undefined) {
      safely('metrics', () => recorder.metrics.event(meter, eventName, (endedAt - startedAt) / 1000, { result, errorType }));
    }
    const { logs } = recorder;
    if (logs !== undefined && result !== undefined) safely('logs', () => logs.eventEnded(eventName, result.verdict, this.context));
    return context;
  }

  #endSpan(answer: TracedAnswer, result: Result | undefined, errorType: string | undefined, endedAt: number): TraceContext | undefined {
    // An event that was not carried out is shown even if no hook ran, and so is every event with `spans: 'all'`.
    if (!answer.success || this.recorder.settings.spans === 'all') safely('spans', () => this.#begin());
    const span = this.#span;
    this.#isEnded = true;
    if (span === undefined) return undefined;
    try {
      if (span.isRecording()) this.#describe(span, result, errorType);
    } finally {
      span.end(toTimestamp(endedAt));
    }
    return toTraceContext(span.spanContext());
  }

  #begin(): void {
    if (this.#span !== undefined || this.tracer === undefined) return;
    const { eventName, startedAt } = this.#event;
    const { correlationId } = this;
    // Each reading of the input copies it.
    const { input } = this.#event;
    const { links, settings } = this.recorder;
    const session = textOf(input['session_id']);
    const id = textOf(input['tool_use_id']);
    const fields: Attributes = { [attributes.eventName.name]: isHookEventName(eventName) ? eventName : shownText(eventName) };
    if (correlationId !== undefined) fields[attributes.correlationId.name] = correlationId;
    if (session !== undefined) fields[attributes.conversationId.name] = shownText(session);
    const tool = textOf(input['tool_name']);
    if (tool !== undefined) fields[attributes.toolName.name] = shownText(tool);
    if (id !== undefined) fields[attributes.toolCallId.name] = shownText(id);
    const call = { session, id };
    const startTime = toTimestamp(startedAt);
    const options = { kind: SpanKind.INTERNAL, startTime, attributes: fields, links: links.of(eventName, call) };
    const span = this.tracer.startSpan(spanName(eventName), options, this.context);
    this.#span = span;
    this.context = trace.setSpan(this.context, span);
    links.remember(eventName, call, span.spanContext());
    // Masking takes long, so it is done only for a span that is kept.
    if (settings.content && span.isRecording()) span.setAttribute(attributes.eventInput.name, contentOf(input));
    for (const { name, fields, at } of this.#notes.splice(0)) span.addEvent(name, fields, toTimestamp(at));
  }

  /** Adds what is known at the end. One attribute after another: the SDK would have to read an object with all of them again. */
  #describe(span: Span, result: Result | undefined, errorType: string | undefined): void {
    if (result !== undefined) {
      const { verdict, outcomes, changes } = result;
      span.setAttribute(attributes.verdict.name, verdict.kind);
      span.setAttribute(attributes.verdictStop.name, verdict.stop);
      span.setAttribute(attributes.hooksRun.name, this.#started);
      span.setAttribute(attributes.hooksSkipped.name, countSkipped(outcomes));
      span.setAttribute(attributes.changes.name, changes.length);
      if (verdict.by.length > 0) span.setAttribute(attributes.verdictBy.name, verdict.by.slice(0, mostValues).map(shownId));
      if (this.recorder.settings.content && verdict.reason !== undefined) {
        span.setAttribute(attributes.verdictReason.name, contentOf(verdict.reason));
      }
    }
    if (errorType === undefined) return;
    span.setAttribute(attributes.errorType.name, errorType);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
}

function countSkipped(outcomes: readonly HookOutcome[]): number {
  let count = 0;
  for (const { status, recheck } of outcomes) if (status === 'skipped' && recheck !== true) count += 1;
  return count;
}

/** The input of a refused request may have any values. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An event that is unknown has any name, and names of spans must be few. */
function spanName(eventName: string): string {
  return isHookEventName(eventName) ? `${names.eventSpan} ${eventName}` : names.eventSpan;
}

/** Returns the code of the error. A cancel by the agent does not count as an error, but a timeout of the event does. */
function codeOf(answer: TracedAnswer): string | undefined {
  if (answer.success) return undefined;
  if (answer.error.code !== 'cancelled') return answer.error.code;
  return answer.reason === 'timeout' ? 'timeout' : undefined;
}
