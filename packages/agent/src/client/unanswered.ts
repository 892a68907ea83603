import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { findRequestFailure, formatFailure } from './failure-text.js';

/**
 * The codes of requests that no service accepted, because there is no service or it does not know the event. `onUnavailable` decides only
 * in these cases.
 */
const untaken: readonly string[] = ['no_responders', 'unsupported_event', 'invalid_settings'];

/** Milliseconds after which an operation that was refused because of a limit may be tried again. */
const limitRetryMs = 1000;

/** Why an operation is blocked although no hook objected. */
export interface Refusal {
  readonly reason: string;
  readonly retryAfterMs?: number;
}

/**
 * Returns why an operation is blocked although no hook denied; undefined if it may continue. An operation is blocked in these cases,
 * because the hooks have not agreed to it:
 * - A service accepted the request, and the event was ended early (cancelled, disposed, timed out) or its answer was lost. It is unknown
 *   what the hooks would have answered.
 * - A limit of this process kept hooks from being asked.
 * - The input cannot be shown to hooks. Otherwise a model could bypass a guard by passing a list as the input of a tool.
 *
 * If no service accepted the request, `onUnavailable` decides. An allow in a failed result has no effect, because a hook that was not asked
 * might have denied.
 */
export function refuseUnanswered(
  result: AggregatedHookResult,
  { onUnavailable }: { readonly onUnavailable: 'allow' | 'deny' },
): Refusal | undefined {
  const failure = findRequestFailure(result);
  const isOverLimit = isLimited(result);
  if (failure === undefined && !isOverLimit) return undefined;
  if (failure !== undefined && untaken.includes(failure.code) && onUnavailable === 'allow') return undefined;
  const reason = formatFailure(result) ?? `Hooks were not asked. ${limitedMessages(result).join(' ')}`;
  return { reason, ...omitUndefined({ retryAfterMs: isOverLimit ? limitRetryMs : undefined }) };
}

/** Whether at least one hook of the event ran. */
export function hasRun(result: AggregatedHookResult | undefined): boolean {
  return result?.outcomes.some(({ status }) => status !== 'skipped') ?? false;
}

/**
 * Whether hooks were not asked because of a limit, and no hook that was asked has denied. Then a later attempt may succeed. The limits are
 * those of requests in flight, of waiting hooks, and of the resources to start a hook. A deny by `onError` is ignored here, because its
 * hook was not asked.
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
