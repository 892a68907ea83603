import type { HookClient } from '@tenterhook/agent';
import { isSameJson } from '@tenterhook/runtime/json';

/** The maximum number of ids. The oldest are dropped, because some questions are never answered. */
const maxIds = 1024;

interface AskedCall {
  readonly name: string;
  /** The input of the model. */
  readonly input: unknown;
}

/** The calls about which the user was asked in this process, by their ids. Runs at the same time may have calls with the same id. */
const askedByClient = new WeakMap<HookClient, Map<string, AskedCall[]>>();

export function noteAsked(client: HookClient, id: string, call: AskedCall): void {
  const known = askedByClient.get(client) ?? new Map<string, AskedCall[]>();
  askedByClient.set(client, known);
  const calls = known.get(id) ?? [];
  if (!wasAsked(calls, call)) known.set(id, [...calls.slice(-maxIds), call]);
  const oldest = known.size > maxIds ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
}

/**
 * Whether the user can have approved the call. The messages with the approval may come from a browser, so if this process has asked about a
 * call with this id, it must be this one. A process that has asked about none must believe the messages.
 */
export function canBeApproved(client: HookClient, id: string, call: AskedCall): boolean {
  const calls = askedByClient.get(client)?.get(id);
  return calls === undefined || wasAsked(calls, call);
}

function wasAsked(calls: readonly AskedCall[], { name, input }: AskedCall): boolean {
  return calls.some((each) => each.name === name && isSameJson(each.input, input));
}
