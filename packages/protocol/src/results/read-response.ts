import { isPlainObject } from '@tenterhook/runtime/json';
import type { HookEventName } from '../events/event-catalogue.js';
import type { HookExecutionResponse, ResponseError } from '../messages.js';
import { type AggregatedHookResult, aggregatedHookResultSchema } from './aggregated-result.js';
import { restoreResult } from './hook-output-classes.js';
import { type HookOutcome, hookOutcomeSchema } from './outcome.js';

/**
 * Reads the result from a response, or the error with the reason why there is none. A responder can be any program, so the result is
 * validated: an invalid one must not look as if no hook objected. Its valid parts, such as a verdict or outcomes, are in the `details` of
 * the error.
 */
export function readResponse(
  eventName: HookEventName,
  { success, output, error }: Pick<HookExecutionResponse, 'success' | 'output' | 'error'>,
): { readonly result: AggregatedHookResult } | { readonly error: ResponseError } {
  if (success && (isOwn(output) || isComplete(output))) {
    return { result: restoreResult(eventName, output as unknown as AggregatedHookResult) };
  }
  const missing = success ? 'The response reports success but has no result.' : 'The response has neither a result nor an error.';
  const message = output === undefined ? missing : 'The result in the response is incomplete.';
  const failure = error ?? { code: 'internal_error', message };
  return { error: output === undefined ? failure : { ...failure, details: { ...output, ...failure.details } } };
}

const ownResults = new WeakSet<object>();

/**
 * Records that the engine of this process created the result, and returns it. `readResponse` then does not validate it, because that takes
 * longer than everything else after the hooks. A result from another process is a different object and is never recorded.
 */
export function recordOwnResult(result: AggregatedHookResult): AggregatedHookResult {
  ownResults.add(result);
  return result;
}

/** A recorded result is trusted only if it is frozen, as the bus delivers it. Otherwise it may have been changed since it was recorded. */
function isOwn(output: object | undefined): boolean {
  return output !== undefined && ownResults.has(output) && Object.isFrozen(output);
}

/**
 * Whether a result has everything that callers read. An invalid value in the output of one hook does not make the result incomplete.
 * Otherwise the answer of one hook would lose the verdict of all.
 */
function isComplete(result: unknown): boolean {
  if (aggregatedHookResultSchema.safeParse(result).success) return true;
  if (!isPlainObject(result) || !Array.isArray(result['outcomes']) || !Array.isArray(result['allOutputs'])) return false;
  const outcomes = result['outcomes'].map((outcome) => (isPlainObject(outcome) ? { ...outcome, output: undefined } : outcome));
  return aggregatedHookResultSchema.safeParse({ ...result, finalOutput: undefined, allOutputs: [], outcomes }).success;
}

/** Returns the outcomes in the details of an error. Undefined if there are none, or if one of them is not valid. */
export function readOutcomes({ details }: { readonly details?: Readonly<Record<string, unknown>> | undefined }): HookOutcome[] | undefined {
  return hookOutcomeSchema.array().safeParse(details?.['outcomes']).data;
}
