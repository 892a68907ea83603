import type { AggregatedHookResult, HookEventName, ResponseError } from '@tenterhook/protocol';
import type { InputIssue } from './events/input.js';
import { resultOfFailure } from './fire/failed-result.js';
import type { RequestAnswer } from './hook-service.js';
import type { HookSet } from './registry/hook-set.js';

/** An event that was cut short is an error with what had been answered; one that was done before the abort reached it is done. */
export function answerWith(result: AggregatedHookResult, signal: AbortSignal, isShutDown: boolean): RequestAnswer {
  const isCutShort = signal.aborted && result.outcomes.some((outcome) => outcome.status === 'cancelled');
  if (!isCutShort) return { success: true, output: result };
  // The verdict goes along: whoever has only the bus must not have to work out for itself that a deny is among them.
  const details = { outcomes: result.outcomes, verdict: result.verdict };
  if (isShutDown) return { success: false, error: { code: 'disposed', message: 'The hook system was shut down.', details } };
  const reason = typeof signal.reason === 'string' && signal.reason !== 'cancelled' ? ` (${signal.reason})` : '';
  return { success: false, error: { code: 'cancelled', message: `The request was cancelled${reason}.`, details } };
}

/** Nothing ran. A hook with `onError: 'block'` that had no turn denies here as well, for those who have the bus alone (design §4.6). */
export function answerToInvalidInput(eventName: HookEventName, issues: readonly InputIssue[], { hooks, dialects }: HookSet): RequestAnswer {
  const message = `The input of ${eventName} is not valid: ${issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ')}`;
  const error: ResponseError = { code: 'validation_failed', message, details: { issues } };
  const situation = { eventName, hooks: hooks[eventName].filter((hook) => hook.skip === undefined), dialects };
  const { verdict } = resultOfFailure(error, situation, 0);
  return { success: false, error: verdict.kind === 'none' ? error : { ...error, details: { issues, verdict } } };
}
