import type { AggregatedHookResult, ResultError } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { findRequestFailure, formatFailure } from './failure-text.js';

/**
 * The codes of requests that no service accepted, either because there is no service or because it cannot handle the event. Only for
 * these codes `onUnavailable` decides.
 */
const untaken: readonly string[] = ['no_responders', 'unsupported_event', 'invalid_settings'];

/** The delay in milliseconds after which a host may repeat an operation that a limit refused. */
const limitRetryMs = 1000;

/** Returns the error of a request that no service accepted, or undefined. */
export function findUntaken(result: AggregatedHookResult): ResultError | undefined {
  const failure = findRequestFailure(result);
  return failure !== undefined && untaken.includes(failure.code) ? failure : undefined;
}

/** Why an operation is blocked although no hook denied it. */
export interface Refusal {
  readonly reason: string;
  readonly retryAfterMs?: number;
}

/**
 * Returns why an operation is blocked although no hook denied it, or undefined if it may continue. It is blocked in these cases:
 * - A service accepted the request, but the answer is missing (cancelled, disposed, timed out, lost).
 * - A limit of this process prevented hooks from being asked.
 * - The input cannot be shown to hooks. Otherwise a model could bypass a guard by passing a list, and not an object, as the input of a
 *   tool.
 *
 * If no service accepted the request, `onUnavailable` decides. With `local`, the result is that of the local hooks, so a failure in it
 * blocks. An allow in a failed result is ignored, because a hook that was not asked might have denied.
 */
export function refuseUnanswered(
  result: AggregatedHookResult,
  { onUnavailable }: { readonly onUnavailable: 'allow' | 'deny' | 'local' },
): Refusal | undefined {
  const failure = findRequestFailure(result);
  const isOverLimit = isLimited(result);
  if (failure === undefined && !isOverLimit) return undefined;
  if (onUnavailable === 'allow' && findUntaken(result) !== undefined) return undefined;
  const reason = formatFailure(result) ?? `Not all hooks could run. ${limitedMessages(result).join(' ')}`;
  return { reason, ...omitUndefined({ retryAfterMs: isOverLimit ? limitRetryMs : undefined }) };
}

/** Whether at least one hook of the event ran. */
export function hasRun(result: AggregatedHookResult | undefined): boolean {
  return result?.outcomes.some(({ status }) => status !== 'skipped') ?? false;
}

/**
 * Whether hooks were not asked because of a limit, so that a later attempt may succeed. There are limits of requests in flight, of waiting
 * hooks, and of the resources to start a hook. Returns false if a hook that was asked has denied. A hook that could not run because of a
 * limit may deny because of its `onError`. This deny is ignored here, because the hook was not asked.
 */
export function isLimited(result: AggregatedHookResult): boolean {
  const failure = findRequestFailure(result);
  if (failure !== undefined) return failure.code === 'overloaded';
  if (result.verdict.stop || result.outcomes.some(({ status }) => status === 'blocked')) return false;
  return result.outcomes.some(({ limited }) => limited === true);
}

function limitedMessages({ outcomes }: AggregatedHookResult): string[] {
  return outcomes.flatMap(({ limited, warnings }) => (limited === true ? (warnings[0]?.message ?? []) : []));
}
