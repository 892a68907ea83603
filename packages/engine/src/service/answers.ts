import type { Answer } from '@tenterhook/bus';
import type { AggregatedHookResult, HookEventName, ResponseError } from '@tenterhook/protocol';
import { recordOwnResult } from '@tenterhook/protocol/internal';
import type { Abortable } from '@tenterhook/runtime/async';
import type { InputIssue } from '../events/input.js';
import { resultOfFailure } from '../fire/failed-result.js';
import type { HookSet } from '../registry/registry.js';

/** The answer to one request. */
export type RequestAnswer = Answer<'HOOK_EXECUTION_REQUEST'>;

/**
 * Converts the result of an event to the answer to its request. If an abort ended the event early, the answer is an error with the
 * outcomes so far.
 */
export function answerWith(result: AggregatedHookResult, signal: Abortable, isShutDown: boolean): RequestAnswer {
  const isCutShort = signal.aborted && result.outcomes.some((outcome) => outcome.status === 'cancelled');
  if (!isCutShort) return { success: true, output: recordOwnResult(withPlainOutput(result)) };
  // The details contain the verdict. So a client that has only the bus does not have to search the outcomes for a deny.
  const details = { outcomes: result.outcomes, verdict: result.verdict };
  if (isShutDown) return { success: false, error: { code: 'disposed', message: 'The hook system was shut down.', details } };
  const reason = typeof signal.reason === 'string' && signal.reason !== 'cancelled' ? ` (${signal.reason})` : '';
  return { success: false, error: { code: 'cancelled', message: `The request was cancelled${reason}.`, details } };
}

/**
 * Returns the result with `finalOutput` as a plain object, because messages are plain data on every transport. Clients make the instance
 * of the class from it (`readResponse`).
 */
function withPlainOutput(result: AggregatedHookResult): AggregatedHookResult {
  const { finalOutput } = result;
  // A rest pattern takes 3 µs for a frozen object, `Object.assign` 0.1 µs.
  return finalOutput === undefined ? result : Object.assign({}, result, { finalOutput: { ...finalOutput } as typeof finalOutput });
}

/**
 * Returns the answer to a request with an invalid input. No hook ran. Hooks with `onError: 'block'` deny, as after any failure. This
 * verdict is in the details, for clients that have only the bus.
 */
export function answerToInvalidInput(eventName: HookEventName, issues: readonly InputIssue[], { hooks, dialects }: HookSet): RequestAnswer {
  const message = `The input of ${eventName} is not valid: ${issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ')}`;
  const error: ResponseError = { code: 'validation_failed', message, details: { issues } };
  const context = { eventName, hooks: hooks[eventName].filter((hook) => hook.skip === undefined), dialects };
  const { verdict } = resultOfFailure(error, context, 0);
  return { success: false, error: verdict.kind === 'none' ? error : { ...error, details: { issues, verdict } } };
}
