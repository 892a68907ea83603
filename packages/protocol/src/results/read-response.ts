import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import type { HookEventName } from '../events/event-catalogue.js';
import type { HookExecutionResponse } from '../messages/channels.js';
import type { ResponseError } from '../messages/fields.js';
import { type AggregatedHookResult, aggregatedHookResultSchema } from './aggregated-result.js';
import { restoreResult } from './hook-output-classes.js';
import { type HookOutcome, hookOutcomeSchema } from './outcome.js';

/**
 * Reads the result from a response, or the error if there is no result. The result is validated, because any program may have sent
 * it, and an invalid result must not look like an allow. If it is invalid, the `details` of the error contain its valid parts, such
 * as a verdict or outcomes.
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
 * Records a result of the engine in this process. `readResponse` then does not validate it: validation would take longer than all
 * other work after the hooks have ended. A result from another process is a different object, so it is never recorded.
 */
export function recordOwnResult(result: AggregatedHookResult): AggregatedHookResult {
  ownResults.add(result);
  return result;
}

/**
 * Tests whether a result was recorded and is unchanged. The bus delivers results frozen, so a result that is not frozen may have
 * been changed.
 */
function isOwn(output: object | undefined): boolean {
  return output !== undefined && ownResults.has(output) && Object.isFrozen(output);
}

/**
 * Tests whether a result has everything that callers read. Invalid values in the output of a single hook are ignored, because they
 * must not make the verdict of all hooks unusable.
 */
function isComplete(result: unknown): boolean {
  if (z.accepts(aggregatedHookResultSchema, result)) return true;
  if (!isPlainObject(result) || !Array.isArray(result['outcomes']) || !Array.isArray(result['allOutputs'])) return false;
  const outcomes = result['outcomes'].map((outcome) => (isPlainObject(outcome) ? { ...outcome, output: undefined } : outcome));
  return aggregatedHookResultSchema.safeParse({ ...result, finalOutput: undefined, allOutputs: [], outcomes }).success;
}

/**
 * Returns the outcomes in a response as they are. Those of an event that failed, for example because it was cancelled, are in the details of
 * its error. Nothing is validated, because the response may be from a recording or another process. Undefined if the hooks were not asked.
 */
export function outcomesIn(response: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  const { output, error } = fieldsOf(response);
  const outcomes = fieldsOf(output)['outcomes'] ?? fieldsOf(fieldsOf(error)['details'])['outcomes'];
  return Array.isArray(outcomes) ? outcomes.filter(isPlainObject) : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}

/** Returns the outcomes in the details of an error, or undefined if there are none or one of them is invalid. */
export function readOutcomes({ details }: { readonly details?: Readonly<Record<string, unknown>> | undefined }): HookOutcome[] | undefined {
  return hookOutcomeSchema.array().safeParse(details?.['outcomes']).data;
}
