import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { findRequestFailure, formatFailure } from './failure-text.js';

/** Codes of requests that no service took: there is none, or it does not know the event. Only here `onUnavailable` decides. */
const untaken: readonly string[] = ['no_responders', 'unsupported_event', 'invalid_settings'];

/** Milliseconds after which an operation that a limit refused may be tried again. */
const limitRetryMs = 1000;

/** Why an operation may not go on although no hook objected. */
export interface Refusal {
  readonly reason: string;
  readonly retryAfterMs?: number;
}

/**
 * Why what an event guards may not go on although no hook denied; undefined when it may. Hooks that were not all asked have not agreed:
 * - a service took the request, and the event was cut short (cancelled, disposed, timed out), or its answer was lost: what the hooks would have
 *   said is unknown, and what cut it short must not decide in their place;
 * - a limit of this side kept hooks from being asked;
 * - the input cannot be shown to hooks: a model could otherwise bypass a guard by calling a tool with a list.
 *
 * `onUnavailable` decides only where no service took the request. An allow beside a failure counts as little as silence: the hooks that are missing
 * may have denied.
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

/**
 * Whether a limit kept hooks from being asked, and no hook that was asked has denied: too many requests in flight, too many hooks waiting, no room
 * to start one. Asked again later, they may answer. A deny by `onError` does not count here: the hook that it belongs to was not asked.
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
