import type { Diagnostic } from '../hooks/diagnostic.js';
import type { HookDefinition } from '../hooks/hook-definition.js';
import type { ResponseError } from '../messages/fields.js';
import type { AggregatedHookResult } from '../results/aggregated-result.js';
import type { VerdictKind } from '../results/hook-decision.js';
import type { HookOutcome } from '../results/outcome.js';
import type { TraceContext } from './trace-context.js';

/**
 * What a tracing system implements to see events and hooks, for the option `tracing` of `createHooks`. `@tenterhook/otel` implements it for
 * OpenTelemetry. An error in a method is logged (`tenterhook:tracing`), and the event is carried out as without tracing.
 *
 * A subscriber of the bus was rejected for this task: it receives the start of a hook after the environment of the hook was made, and
 * every event with a subscriber takes longer.
 */
export interface HookTracing {
  /** Returns the context of the running code, which a requester puts into its request. Undefined if there is none. */
  outgoing?(): TraceContext | undefined;
  /**
   * Called once for each event that a service carries out, and for each that no service could carry out. Usually not called for an event that
   * runs nothing and has no listener. If the result is undefined, the event is not recorded, and no further method is called for it.
   */
  begin(event: TracedEvent): EventTrace | undefined;
  /** Runs the work in the context of another process, for example that of the agent which calls a handler of this process. */
  within?<Result>(context: TraceContext, work: () => Result): Result;
  /** Called when settings were read, and when they were read again. */
  settings?(diagnostics: readonly Diagnostic[]): void;
  /**
   * Called by `executeToolWithHooks` before it fires BeforeTool, and by `runReviewedToolWithHooks`, which carries out a call whose BeforeTool
   * was fired before. If the result is undefined, the call is not recorded.
   */
  tool?(call: TracedTool): ToolTrace | undefined;
}

/** An event at its beginning. */
export interface TracedEvent {
  /** The canonical name. It is any text if the request was refused. */
  readonly eventName: string;
  /** A copy of the input with the fields that all events have. If the event was refused, the fields of the request. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly correlationId: string | undefined;
  /** The context in the request. */
  readonly trace: TraceContext | undefined;
  /** When the event began, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
}

/** How an event ended. */
export type TracedAnswer =
  | { readonly success: true }
  /** `reason`: why the event was cancelled, `timeout` for its timeout. */
  | { readonly success: false; readonly error: ResponseError; readonly reason?: string | undefined };

/** The record of one event. The methods are called in the order in which they are declared; hooks run side by side. */
export interface EventTrace {
  /** Called before the environment of a hook is made. Undefined if the hook is not recorded. */
  hook(hook: TracedHook): HookTrace | undefined;
  /** Called when the event opened, tried or closed the circuit of a hook. */
  circuitChanged?(hook: HookDefinition, state: 'closed' | 'open' | 'half-open'): void;
  /**
   * `result` has the outcomes and the verdict, also those so far of an event that failed. They are frozen. Returns the context for the
   * response.
   */
  end(answer: TracedAnswer, result: Pick<AggregatedHookResult, 'verdict' | 'outcomes' | 'changes'> | undefined): TraceContext | undefined;
}

/** A hook that will run. */
export interface TracedHook {
  /** A frozen copy, without the data of the dialect. It is the same object in each event. */
  readonly hook: HookDefinition;
  /** The index of its stage in the plan, from 0. Undefined for a hook that is asked again. */
  readonly stage: number | undefined;
}

/** The record of one run of a hook. */
export interface HookTrace {
  /** The context of this run, for headers of requests and for formats whose input has fields for it. */
  readonly context?: TraceContext | undefined;
  /** Variables for the environment of a command. The settings of the hook can replace them. One that is undefined is not inherited. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether the context is also in the input of formats that pass unknown fields on (`traceFields: 'on request'`). @default false */
  readonly isInInput?: boolean | undefined;
  /** The process was started, or the function was called. A hook that waits in a queue starts later than its record. */
  started(): void;
  /** Runs the work in the context of this run. */
  run?<Result>(work: () => Result): Result;
  /** The server of the hook has answered with this HTTP status. Called before `ended()`. */
  responded?(status: number): void;
  /** `late`: the event did not wait for the end of the hook. The outcome is frozen. */
  ended(outcome: HookOutcome, late: boolean): void;
}

/** A tool call with its hooks. */
export interface TracedTool {
  readonly name: string;
  readonly callId: string | undefined;
}

/** The record of one tool call. */
export interface ToolTrace {
  /** Runs the call in its context. The events of the call are then its children. */
  run<Result>(work: () => Result): Result;
  /** `failure`: why the tool failed. `verdict`: that of BeforeTool, if hooks were asked. */
  ended(end: { readonly verdict: VerdictKind | undefined; readonly failure: string | undefined }): void;
}
