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

/** Whether a hooked model made the call, so that what the call leaves reaches the next model call. Each call that a model entered has a signal. */
export function isOfHookedModel(client: HookClient, call: OwnedCall): boolean {
  return knownCall(client, call)?.signal !== undefined;
}
