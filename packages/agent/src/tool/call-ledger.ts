import { omitUndefined } from '@tenterhook/runtime/json';
import type { LeftByCall } from '../adapters/past-call.js';
import type { ReviewedToolCall } from './reviewed-tool-call.js';
import type { ToolSelection } from './tool-selection.js';

/** What an adapter knows about a tool call that its framework carries out elsewhere. */
export interface KnownCall extends LeftByCall {
  /** The tools that hooks allow for the request whose answer made the call. */
  readonly toolSelection?: ToolSelection;
  /** The signal of the run that the call belongs to. Approval callbacks of frameworks get none. */
  readonly signal?: AbortSignal;
  /** The decision of the hooks, until the tool runs. */
  readonly reviewed?: ReviewedToolCall;
  /** Another call of the same answer of the model has the same id. */
  readonly isRepeated?: boolean;
}

/** Tool calls by the ids that the model gave them. */
export interface CallLedger {
  /** Enters a call that the model has just made. It replaces a call with the same id, because not all services give unique ids. */
  begin(callId: string, known: KnownCall): void;
  /** Adds to what is known about a call. A call that was not entered is entered. */
  note(callId: string, known: KnownCall): void;
  get(callId: string): KnownCall | undefined;
  /** Removes a call, apart from what later model calls need. Without that, nothing of the call is left. */
  finish(callId: string, left?: LeftByCall): void;
}

/**
 * Creates a ledger of tool calls. Frameworks call the model in one place, ask the user in another and run the tool in a third, and often
 * only the id of the call is the same there. The oldest calls are dropped if there are more than `maxCalls`, because some calls never run.
 */
export function createCallLedger({ maxCalls = 1024 }: { readonly maxCalls?: number } = {}): CallLedger {
  const calls = new Map<string, KnownCall>();
  const enter = (callId: string, known: KnownCall) => {
    calls.set(callId, known);
    const oldest = calls.size > maxCalls ? calls.keys().next().value : undefined;
    if (oldest !== undefined) calls.delete(oldest);
  };
  return {
    begin(callId, known) {
      calls.delete(callId);
      enter(callId, known);
    },
    note: (callId, known) => enter(callId, { ...calls.get(callId), ...known }),
    get: (callId) => calls.get(callId),
    finish(callId, { stop, additions } = {}) {
      const left = omitUndefined({ stop, additions });
      if (Object.keys(left).length === 0) calls.delete(callId);
      else enter(callId, left);
    },
  };
}
