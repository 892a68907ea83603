import type { HookClient } from '@tenterhook/agent';
import { findRuns, type KnownCall } from '@tenterhook/agent/internal';
import type { RunContext } from './agents-sdk.js';

/** A call of a tool. Its id is undefined if the SDK does not pass it on. */
export interface OwnedCall {
  /** The key of its run. */
  readonly key: RunContext | undefined;
  readonly callId: string | undefined;
}

/** What is known about a call. */
export function knownCall(client: HookClient, { key, callId }: OwnedCall): KnownCall | undefined {
  return callId === undefined ? undefined : findRuns(client)?.find(key)?.get(callId);
}
