import * as z from '@tenterhook/runtime/schema';
import type { ErrorCode } from '../codes.js';
import { verdictKinds } from './hook-decision.js';
import { hookOutputSchema } from './hook-output.js';
import type { DefaultHookOutput } from './hook-output-classes.js';
import { type HookOutcome, hookOutcomeSchema } from './outcome.js';

/** The decision of all hooks together. `by` lists the hooks that decided `kind`, `stoppedBy` those that decided `stop`. */
export const verdictSchema = z.object({
  kind: z.enum(verdictKinds),
  stop: z.boolean(),
  reason: z.string().optional(),
  stopReason: z.string().optional(),
  by: z.array(z.string()),
  stoppedBy: z.array(z.string()),
  retryAfterMs: z.number().optional(),
});

/** One value that one hook rewrote, in the order of application. `before` is absent if there was no value, `after` if it was removed. */
export const changeSchema = z.object({
  path: z.string(),
  hookId: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

/** The result of all hooks of one event. */
export const aggregatedHookResultSchema = z.object({
  /** Every hook that ran exited with 0 and had no failure, and no failure was turned into a deny. An intended exit 2 makes it false: decide by `verdict`. */
  success: z.boolean(),
  /** Absent when no hook ran. */
  finalOutput: hookOutputSchema.optional(),
  verdict: verdictSchema,
  changes: z.array(changeSchema),
  /** One canonical output per hook that returned one, in plan order. */
  allOutputs: z.array(hookOutputSchema),
  /** One per configured hook of the event, in plan order. After them, those of the hooks that were asked again (`recheck`). */
  outcomes: z.array(hookOutcomeSchema),
  /** One per outcome that failed, timed out or was cancelled, and per skipped hook that denies because of `onError` (`failedClosed`). */
  errors: z.array(z.object({ code: z.string(), message: z.string(), hookId: z.string().optional() })),
  /** Wall-clock milliseconds of the whole event (decision 33). */
  totalDuration: z.number(),
});

export type Verdict = z.infer<typeof verdictSchema>;
export type Change = z.infer<typeof changeSchema>;
/** In process, `finalOutput` is an instance of the output class of its event. Over a wire it is the same data as a plain object. */
export type AggregatedHookResult = Omit<z.infer<typeof aggregatedHookResultSchema>, 'finalOutput'> & { finalOutput?: DefaultHookOutput };

/** An aggregated result with the common output fields at the top level (seed 000). */
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
 * The result of a request that was not carried out: its code, and the outcomes so far that the caller knows. Every sender uses it, so that
 * a failed request looks the same in this process and over a wire.
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

/** The outcomes in the details of an error. Undefined without outcomes, or if one of them is not valid. */
export function readOutcomes({ details }: { readonly details?: Readonly<Record<string, unknown>> | undefined }): HookOutcome[] | undefined {
  return hookOutcomeSchema.array().safeParse(details?.['outcomes']).data;
}
