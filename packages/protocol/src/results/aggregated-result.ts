import * as z from '@tenterhook/runtime/schema';
import type { ErrorCode } from '../codes.js';
import { verdictKinds } from './hook-decision.js';
import { hookOutputSchema } from './hook-output.js';
import type { DefaultHookOutput } from './hook-output-classes.js';
import { type HookOutcome, hookOutcomeSchema } from './outcome.js';

/** The decision of all hooks together. `by` are the deciders of `kind`, `stoppedBy` those of `stop`. */
export const verdictSchema = z.object({
  kind: z.enum(verdictKinds),
  stop: z.boolean(),
  reason: z.string().optional(),
  stopReason: z.string().optional(),
  by: z.array(z.string()),
  stoppedBy: z.array(z.string()),
  retryAfterMs: z.number().optional(),
});

/** One value that one hook rewrote, in the order in which the rewrites were applied. `before` is absent where there was none, `after` where it was taken away. */
export const changeSchema = z.object({
  path: z.string(),
  hookId: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

/** What all hooks of one event mean together. */
export const aggregatedHookResultSchema = z.object({
  /** Every hook that ran was healthy and exited 0, and none denies for a failure. An intended exit 2 makes it false: decide by `verdict`. */
  success: z.boolean(),
  /** Absent when no hook ran. */
  finalOutput: hookOutputSchema.optional(),
  verdict: verdictSchema,
  changes: z.array(changeSchema),
  /** One canonical output per hook that gave one, plan order. */
  allOutputs: z.array(hookOutputSchema),
  /** One per configured hook of the event, plan order. */
  outcomes: z.array(hookOutcomeSchema),
  /** One per outcome that failed, timed out or was cancelled, and per hook that was left out and denies for it (`failedClosed`). */
  errors: z.array(z.object({ code: z.string(), message: z.string(), hookId: z.string().optional() })),
  /** Wall-clock milliseconds of the whole event (decision 33). */
  totalDuration: z.number(),
});

export type Verdict = z.infer<typeof verdictSchema>;
export type Change = z.infer<typeof changeSchema>;
/** In process `finalOutput` is an instance of its event's output class; over a wire it is the same data, plain. */
export type AggregatedHookResult = Omit<z.infer<typeof aggregatedHookResultSchema>, 'finalOutput'> & { finalOutput?: DefaultHookOutput };

/** An aggregated result with the common output fields read out (seed 000). */
export interface ProcessedHookResult {
  aggregated: AggregatedHookResult;
  shouldStop: boolean;
  stopReason: string | undefined;
  systemMessage: string | undefined;
  suppressOutput: boolean;
}

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
 * The result of a request that was not carried out: its code, and what the caller knows of the outcomes so far. Every sender uses it, so that
 * a failed request looks the same whether it was fired in this process or over a wire.
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

/** The outcomes in the details of an error. Undefined where it carries none, or one that is not an outcome. */
export function readOutcomes({ details }: { readonly details?: Readonly<Record<string, unknown>> | undefined }): HookOutcome[] | undefined {
  return hookOutcomeSchema.array().safeParse(details?.['outcomes']).data;
}
