import {
  type AggregatedHookResult,
  createHookOutput,
  DefaultHookOutput,
  type HookEventName,
  type HookOutcome,
  hookOutcomeSchema,
  type ResponseError,
} from '@tenterhook/protocol';

/**
 * The result of a request that was not carried out: its code, and what the caller knows of the outcomes so far. Every sender uses it, so that
 * a failed request looks the same whether it was fired in this process or over a wire.
 */
export function createFailedResult(
  { code, message }: ResponseError,
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

/** The outcomes that an error carries in its details. Undefined where it carries none, or one that is not an outcome. */
export function readOutcomes({ details }: Pick<ResponseError, 'details'>): HookOutcome[] | undefined {
  return hookOutcomeSchema.array().safeParse(details?.['outcomes']).data;
}

/** Gives the output its class back: a result that came over a wire is plain JSON. */
export function restoreResult(eventName: HookEventName, result: AggregatedHookResult): AggregatedHookResult {
  if (result.finalOutput === undefined || result.finalOutput instanceof DefaultHookOutput) return result;
  return { ...result, finalOutput: createHookOutput(eventName, result.finalOutput) };
}
