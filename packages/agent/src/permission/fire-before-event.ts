import type { AggregatedHookResult, HookEventName } from '@tenterhook/protocol';
import { wait } from '@tenterhook/runtime/async';
import { omitUndefined } from '@tenterhook/runtime/json';
import { refusalByFailure } from '../client/failure-text.js';
import type { HookClient } from '../client/hook-client.js';

/** The longest a retry waits, whatever a hook asks for. */
const maxWaitMs = 60_000;

/** How often an operation that a hook put off is put before the hooks again. */
const defaultMaxRetries = 3;

export interface BeforeEvent {
  readonly eventName: HookEventName;
  readonly input: Readonly<Record<string, unknown>>;
  /** An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What hooks say before an operation. `ask` is still to be put to the user. */
export type Permission =
  | { readonly kind: 'open'; readonly before?: AggregatedHookResult }
  | { readonly kind: 'ask'; readonly before: AggregatedHookResult }
  | { readonly kind: 'blocked'; readonly before: AggregatedHookResult; readonly reason: string; readonly retryAfterMs?: number }
  | { readonly kind: 'stopped'; readonly before: AggregatedHookResult }
  /** The owner of the signal ended it before a hook had decided. */
  | { readonly kind: 'cancelled'; readonly before: AggregatedHookResult };

/** Fires a Before event, again after the time that a hook asks for, and reads the verdict. Nothing else decides (design §5). */
export async function seekPermission(client: HookClient, event: BeforeEvent): Promise<Permission> {
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
    return permissionOf(before, client, signal);
  }
}

function permissionOf(before: AggregatedHookResult, client: HookClient, signal: AbortSignal | undefined): Permission {
  const { kind, stop, reason, retryAfterMs } = before.verdict;
  if (stop) return { kind: 'stopped', before };
  if (kind === 'deny') {
    return { kind: 'blocked', before, reason: reason || 'A hook denied it.', ...omitUndefined({ retryAfterMs }) };
  }
  if (kind === 'none' && signal?.aborted) return { kind: 'cancelled', before };
  const refusal = refusalByFailure(before, client);
  if (refusal !== undefined) return { kind: 'blocked', before, reason: refusal };
  return { kind: kind === 'ask' ? 'ask' : 'open', before };
}
