import * as z from '@tenterhook/runtime/schema';
import { codeSchema, type ErrorCode, type WarningCode } from '../codes.js';
import { type VerdictKind, verdictKinds } from './hook-decision.js';
import { type HookOutput, hookOutputSchema } from './hook-output.js';
import type { DefaultHookOutput } from './hook-output-classes.js';
import { type HookOutcome, hookOutcomeSchema } from './outcome.js';

/**
 * The decision of all hooks of an event together. An agent must obey it. `success` and `finalOutput.decision` of the result have
 * other meanings and must not be used in its place.
 */
export interface Verdict {
  /** The strictest decision: `deny` > `ask` > `allow` > `none`. `none` means that no hook decided. */
  readonly kind: VerdictKind;
  /** Whether a hook wants the agent loop to end. This does not depend on `kind`: an allow may come with a stop. */
  readonly stop: boolean;
  /** The reasons of the hooks whose decision is `kind`, one per line. Always present for a deny. */
  readonly reason?: string | undefined;
  /** The reasons of the hooks that asked for the stop, one per line. */
  readonly stopReason?: string | undefined;
  /** Ids of the hooks whose decision is `kind`. */
  readonly by: readonly string[];
  /** Ids of the hooks that asked for the stop. */
  readonly stoppedBy: readonly string[];
  /** Milliseconds after which the operation may be tried again. Only with a deny. */
  readonly retryAfterMs?: number | undefined;
}

/** A rewrite of one value by one hook. */
export interface Change {
  /** Path of the value in the input of the event, e.g. `tool_input.path`. */
  readonly path: string;
  readonly hookId: string;
  /** Missing if there was no value. */
  readonly before?: unknown;
  /** Missing if the value was removed. */
  readonly after?: unknown;
}

/** A hook that failed, or the reason why a request was not carried out. */
export interface ResultError {
  /** The code never changes. `docs/errors.md` lists all codes. */
  readonly code: ErrorCode | WarningCode;
  /** A sentence for people. The text may change. */
  readonly message: string;
  /** The hook that failed. Missing if the request itself was not carried out. */
  readonly hookId?: string | undefined;
}

/** The result of all hooks of one event. It is frozen at every level. */
export interface AggregatedHookResult {
  /**
   * True if every hook that ran exited with 0, no hook failed, and no hook denied because of `onError`. A hook that blocks with
   * exit code 2 makes `success` false, so use `verdict` to decide what to do.
   */
  readonly success: boolean;
  /**
   * The merged output of the hooks. Missing if no hook ran. In this process it is an instance of the event's output class; in a
   * message it is a plain object. Its `decision` is not the verdict: on tool, agent and session events, `decision` is `allow` if
   * the hooks succeed without a deny or ask, but `verdict.kind` is then `none`.
   */
  readonly finalOutput?: DefaultHookOutput | undefined;
  /** The decision of all hooks. Read this first. */
  readonly verdict: Verdict;
  /** Each rewritten value, in the order of application. */
  readonly changes: readonly Change[];
  /** One canonical output per hook that returned one, in plan order. */
  readonly allOutputs: readonly HookOutput[];
  /**
   * One outcome for each configured hook of the event, in plan order, also for hooks that did not run. After these there is a
   * further outcome for each hook that was asked again (`recheck`).
   */
  readonly outcomes: readonly HookOutcome[];
  /**
   * One error for each hook that failed, timed out or was cancelled, and for each skipped hook that denies because of `onError`
   * (`failedClosed`). If the request was not carried out, the first error says why.
   */
  readonly errors: readonly ResultError[];
  /** Wall-clock milliseconds of the whole event (decision 33). */
  readonly totalDuration: number;
  /**
   * Why only the hooks of the agent's machine ran. Set by a client with `onUnavailable: 'local'` if no hook service accepted the event.
   */
  readonly localOnly?: ResultError | undefined;
}

export const verdictSchema = z.object({
  kind: z.enum(verdictKinds),
  stop: z.boolean(),
  reason: z.string().optional(),
  stopReason: z.string().optional(),
  by: z.array(z.string()),
  stoppedBy: z.array(z.string()),
  retryAfterMs: z.number().optional(),
}) satisfies z.ZodType<Verdict>;

export const changeSchema = z.object({
  path: z.string(),
  hookId: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
}) satisfies z.ZodType<Change>;

const errorSchema = z.object({
  code: codeSchema<ErrorCode | WarningCode>(),
  message: z.string(),
  hookId: z.string().optional(),
}) satisfies z.ZodType<ResultError>;

export const aggregatedHookResultSchema = z.object({
  success: z.boolean(),
  finalOutput: hookOutputSchema.optional(),
  verdict: verdictSchema,
  changes: z.array(changeSchema),
  allOutputs: z.array(hookOutputSchema),
  outcomes: z.array(hookOutcomeSchema),
  errors: z.array(errorSchema),
  totalDuration: z.number(),
  localOnly: errorSchema.optional(),
}) satisfies z.ZodType<Omit<AggregatedHookResult, 'finalOutput'> & { finalOutput?: HookOutput | undefined }>;

/** An aggregated result, and fields of its output at the top level. */
export interface ProcessedHookResult {
  readonly aggregated: AggregatedHookResult;
  readonly shouldStop: boolean;
  readonly stopReason: string | undefined;
  readonly systemMessage: string | undefined;
  readonly suppressOutput: boolean;
}

/** Returns the result together with the common fields of its output. */
export function processResult(aggregated: AggregatedHookResult): ProcessedHookResult {
  const output = aggregated.finalOutput;
  return {
    aggregated,
    shouldStop: aggregated.verdict.stop,
    stopReason: aggregated.verdict.stopReason,
    systemMessage: output?.systemMessage,
    suppressOutput: output?.suppressOutput === true,
  };
}

/**
 * Creates the result of a request that was not carried out. All code uses this function, so that such a result looks the same in
 * this process and in a message.
 */
export function createFailedResult(
  { code, message }: { readonly code: ErrorCode; readonly message: string; readonly details?: unknown },
  totalDuration: number,
  known: Partial<Pick<AggregatedHookResult, 'verdict' | 'outcomes'>> = {},
): AggregatedHookResult {
  return {
    success: false,
    verdict: known.verdict ?? { kind: 'none', stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: known.outcomes ?? [],
    errors: [{ code, message }],
    totalDuration,
  };
}
