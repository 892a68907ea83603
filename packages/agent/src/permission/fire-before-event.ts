import type { AggregatedHookResult, HookEventName } from '@tenterhook/protocol';
import { wait } from '@tenterhook/runtime/async';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { refuseUnanswered } from '../client/unanswered.js';

/** The maximum delay of a retry, whatever a hook asks for. */
const maxWaitMs = 60_000;

/** How often the event is fired again by default if a hook postpones the operation. */
const defaultMaxRetries = 3;

export interface BeforeEvent {
  readonly eventName: HookEventName;
  readonly input: Readonly<Record<string, unknown>>;
  /** An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What hooks decided before an operation. `ask`: the user must still be asked. */
export type Permission =
  | { readonly kind: 'open'; readonly before?: AggregatedHookResult }
  | { readonly kind: 'ask'; readonly before: AggregatedHookResult }
  | { readonly kind: 'blocked'; readonly before: AggregatedHookResult; readonly reason: string; readonly retryAfterMs?: number }
  | { readonly kind: 'stopped'; readonly before: AggregatedHookResult }
  /** The signal aborted before a hook had decided. */
  | { readonly kind: 'cancelled'; readonly before: AggregatedHookResult };

/**
 * Fires a Before event and reads the verdict. If a hook postpones the operation, the event is fired again after the delay. Only the verdict
 * decides. `success` and the outcomes of single hooks are ignored (design §5).
 */
export async function fireBeforeEvent(client: HookClient, event: BeforeEvent): Promise<Permission> {
  const { eventName, input, maxRetries = defaultMaxRetries, signal } = event;
  if (!client.has(eventName)) return { kind: 'open' };
  for (let retries = 0; ; retries += 1) {
    const before = await client.fire(eventName, input, omitUndefined({ signal }));
    const { verdict } = before;
    const { retryAfterMs } = verdict;
    const isPutOff = verdict.kind === 'deny' && !verdict.stop && retryAfterMs !== undefined;
    if (isPutOff && retries < maxRetries && signal?.aborted !== true) {
      await wait(Math.min(retryAfterMs, maxWaitMs), signal);
      if (!signal?.aborted) continue;
    }
    return readPermission(before, client, signal);
  }
}

/** What the result of a Before event means for the operation. */
export function readPermission(
  before: AggregatedHookResult,
  client: Pick<HookClient, 'onUnavailable'>,
  signal: AbortSignal | undefined,
): Permission {
  const { kind, stop, reason, retryAfterMs } = before.verdict;
  if (stop) return { kind: 'stopped', before };
  const refusal = refuseUnanswered(before, client);
  if (kind === 'deny') {
    return { kind: 'blocked', before, ...refusal, reason: reason || 'A hook denied it.', ...omitUndefined({ retryAfterMs }) };
  }
  if (signal?.aborted && (kind === 'none' || refusal !== undefined)) return { kind: 'cancelled', before };
  if (refusal !== undefined) return { kind: 'blocked', before, ...refusal };
  return { kind: kind === 'ask' ? 'ask' : 'open', before };
}
