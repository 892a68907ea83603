import type { HookClient } from '@tenterhook/agent';
import { type CallLedger, createCallLedger, type KnownCall } from '@tenterhook/agent/internal';

/** The tool calls of a client. The SDK carries nothing but the id of a call from the model to the tool and back. */
export interface Calls extends Pick<CallLedger, 'note' | 'get'> {
  /** Enters a call of an answer that a hooked model has just made. */
  begin(callId: string, known: KnownCall & { readonly signal: AbortSignal }): void;
  /** Notes the id of a call by its arguments, because a shell and an editor receive nothing else. */
  identify(args: object, callId: string): void;
  /** Returns the id of a call that a hooked model made. `args` must be the same object. The SDK copies it in streams. */
  idOf(args: object): string | undefined;
  /** Whether a hooked model made the call, so that what the call leaves reaches the next model call. */
  isOfHookedModel(callId: string | undefined): boolean;
  /** Removes a call, apart from what the next model calls need. */
  finish(callId: string, left?: Pick<KnownCall, 'stop' | 'additions'>): void;
  /** Whether a call left something for the next model calls. If not, their input need not be searched. */
  readonly hasLeft: boolean;
}

/**
 * Calls belong to a client, and so to a session. With one ledger for all clients, two sessions whose services give the same ids would
 * receive each other's texts.
 */
const callsByClient = new WeakMap<HookClient, Calls>();

export function callsOf(client: HookClient): Calls {
  const known = callsByClient.get(client);
  if (known !== undefined) return known;
  const ledger = createCallLedger();
  const ids = new WeakMap<object, string>();
  let hasLeft = false;
  const calls: Calls = {
    begin: ledger.begin,
    identify: (args, callId) => void ids.set(args, callId),
    idOf: (args) => ids.get(args),
    // Each call that a model entered has a signal.
    isOfHookedModel: (callId) => callId !== undefined && ledger.get(callId)?.signal !== undefined,
    get: ledger.get,
    note(callId, fields) {
      hasLeft ||= fields.stop !== undefined || fields.additions !== undefined;
      ledger.note(callId, fields);
    },
    finish(callId, left = {}) {
      hasLeft ||= left.stop !== undefined || left.additions !== undefined;
      ledger.finish(callId, left);
    },
    get hasLeft() {
      return hasLeft;
    },
  };
  callsByClient.set(client, calls);
  return calls;
}
