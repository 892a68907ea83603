import type { AggregatedHookResult, HookEventName, HookExecutor, TraceContext } from '@tenterhook/protocol';
import type { ContainedEvent, ContainedTracing } from '@tenterhook/protocol/internal';
import { type Abortable, abortableOf, DeadlineTimer } from '@tenterhook/runtime/async';
import { describeThrown } from '@tenterhook/runtime/text';
import type { EventInputs } from '../events/event-inputs.js';
import { isLogging, logProgress } from '../events/event-log.js';
import { InFlightEvents } from '../events/in-flight-events.js';
import { createInputTeller } from '../events/preview.js';
import { type Progress, sendProgress } from '../events/progress.js';
import type { HookPlanner } from '../planner/planner.js';
import type { HookRegistry } from '../registry/registry.js';
import type { CircuitBreaker } from '../runner/circuit/circuit-breaker.js';
import type { OnceRuns } from '../runner/once-runs.js';
import { ranRanksOfProcess } from '../runner/ran-ranks.js';
import { SessionVariables } from '../runner/session-variables.js';
import { answerToInvalidInput, answerWith, type RequestAnswer } from './answers.js';
import type { RequestControl } from './hook-service.js';
import { runPipeline, runRecheck } from './pipeline.js';

/** The parts of a system that a run of an event needs. */
export interface EventRunsOptions {
  readonly inputs: EventInputs;
  readonly registry: HookRegistry;
  readonly planner: HookPlanner;
  readonly executors: ReadonlyMap<string, HookExecutor>;
  readonly onceRuns: OnceRuns;
  /** Returns the base environment of hooks. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** If absent, no hook is skipped because it keeps failing. */
  readonly breaker?: CircuitBreaker;
  /** If absent, nothing is recorded. */
  readonly tracing?: ContainedTracing;
  /** Whether progress messages contain what the hooks receive. */
  readonly tellsInput: boolean;
}

/** Runs the events of one system, from the fields of a request to its answer. */
export class EventRuns {
  readonly #options: EventRunsOptions;
  readonly #sessionVariables = new SessionVariables();
  readonly #inFlight = new InFlightEvents();

  constructor(options: EventRunsOptions) {
    this.#options = options;
  }

  /** Runs one event. `parent` is the trace context of the request. Never rejects because of a hook or a request. */
  run(
    eventName: HookEventName,
    fields: Readonly<Record<string, unknown>>,
    control: RequestControl,
    parent?: TraceContext,
  ): Promise<RequestAnswer> {
    return this.#inFlight.run(abortableOf(control), async (signal) => {
      const { inputs, registry, planner, executors, onceRuns, environment, breaker, tracing, tellsInput } = this.#options;
      const began = performance.now();
      const elapsedMs = () => Math.round((performance.now() - began) * 1000) / 1000;
      const completed = inputs.complete(eventName, fields);
      const input = completed.ok ? completed.input : fields;
      const trace = tracing?.begin({ eventName, correlationId: control.correlationId, trace: parent, startedAt: began }, input);
      const set = registry.current;
      if (!completed.ok) return endRecord(trace, answerToInvalidInput(eventName, completed.issues, set), undefined, signal);
      const event = inputs.eventOf(eventName, completed.input);
      // In a recheck nothing is observed, because the sources have already observed the event.
      if (control.recheck === undefined) registry.observe(event);
      const publish = sendProgress(event, elapsedMs, control);
      const log = isLogging() ? logProgress(event) : undefined;
      let copied: Readonly<Record<string, string>> | undefined;
      const timer = new DeadlineTimer();
      const context = {
        dialects: set.dialects,
        executors,
        // The environment is copied only if a hook runs. For an event without a hook to run, the copy would take longer than everything
        // else.
        environment: () => {
          copied ??= environment();
          return copied;
        },
        signal,
        timer,
        disposeSignal: this.#inFlight.shutDownSignal,
        report: (progress: Progress) => {
          log?.(progress);
          publish(progress);
        },
        trace,
        circuits: breaker?.of(set),
        onceRuns,
        sessionVariables: this.#sessionVariables,
        ranRanks: ranRanksOfProcess,
        trust: registry.trust,
        ...(tellsInput && control.isFollowed !== false ? { tellInput: createInputTeller(publish) } : {}),
      };
      const running = control.recheck ? runRecheck(set, event, context, elapsedMs) : runPipeline(set, planner, event, context, elapsedMs);
      const result = await running.finally(() => timer.end()).catch((error) => failRecord(trace, error));
      if (eventName === 'SessionEnd') this.#sessionVariables.end(event.input.session_id);
      return endRecord(trace, answerWith(result, signal, this.#inFlight.shutDownSignal.aborted), result, signal);
    });
  }

  /** Aborts all events and async hooks, and resolves when each event has its answer. */
  shutDown(): Promise<void> {
    return this.#inFlight.shutDown();
  }
}

/** Ends the record of an event, if there is one. Returns the answer, with the context of the record. */
function endRecord(
  event: ContainedEvent | undefined,
  answer: RequestAnswer,
  result: AggregatedHookResult | undefined,
  signal: Abortable,
): RequestAnswer {
  if (event === undefined) return answer;
  const reason = signal.aborted && typeof signal.reason === 'string' ? signal.reason : undefined;
  if (answer.success) return { success: true, output: answer.output, trace: event.end({ success: true }, result) };
  const { error } = answer;
  return { success: false, error, trace: event.end({ success: false, error, reason }, result) };
}

/** Ends the record of an event that failed inside the engine, and throws the error again. */
function failRecord(event: ContainedEvent | undefined, error: unknown): never {
  event?.end({ success: false, error: { code: 'internal_error', message: describeThrown(error) } }, undefined);
  throw error;
}
