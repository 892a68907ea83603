import type { HookClient } from '@tenterhook/agent';
import { type CallLedger, createCallLedger, type KnownCall } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';

/** The calls of one client. The SDK carries only the id of a call between the model, the approval callback and `execute`. */
export interface SessionCalls {
  readonly ledger: CallLedger;
  /** Whether hooks have left anything for a later model call. Without it, prompts need not be searched, and calls need not be entered. */
  hasLeft: boolean;
}

/**
 * Calls belong to a client, and so to a session. With one ledger for all clients, two sessions whose provider gives the same ids would
 * receive each other's texts.
 */
const callsByClient = new WeakMap<HookClient, SessionCalls>();

export function callsOf(client: HookClient): SessionCalls {
  let calls = callsByClient.get(client);
  if (calls === undefined) {
    calls = { ledger: createCallLedger(), hasLeft: false };
    callsByClient.set(client, calls);
  }
  return calls;
}

/** Adds texts to a call that the model has made: the model reads them after the result, each time the result is sent. */
export function addTexts(client: HookClient, id: string, texts: readonly string[]): void {
  if (texts.length === 0) return;
  const calls = callsOf(client);
  calls.hasLeft = true;
  calls.ledger.note(id, { additions: [...(calls.ledger.get(id)?.additions ?? []), ...texts] });
}

/**
 * Ends a call: only the texts for the model and a stop are left. What is there already stays: it belongs to the response that made the call,
 * or to another call of this response with the same id. What an earlier response left is removed when the response is noted.
 */
export function endCall(client: HookClient, id: string, texts: readonly string[]): void {
  addTexts(client, id, texts);
  const { ledger } = callsOf(client);
  const { stop, additions } = ledger.get(id) ?? {};
  ledger.finish(id, omitUndefined({ stop, additions }));
}

/** Notes that the agent stops at a call. The loop of the SDK cannot be ended there, so the next model call is not made. */
export function noteStop(client: HookClient, id: string, stop: NonNullable<KnownCall['stop']>): void {
  const calls = callsOf(client);
  calls.hasLeft = true;
  calls.ledger.note(id, { stop });
}

/** The reason of a stop, for the user and the model. */
export function stopText({
  stopReason,
  reason,
}: {
  readonly stopReason?: string | undefined;
  readonly reason?: string | undefined;
}): string {
  return stopReason ?? reason ?? 'A hook stopped the agent.';
}
