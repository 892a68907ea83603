import type { HookClient, ReviewedToolCall, ToolInput } from '@tenterhook/agent';
import { isSameJson } from '@tenterhook/runtime/json';
import type { OwnedCall } from '../known-calls.js';

/** A call as the model wrote it. */
interface WrittenCall extends OwnedCall {
  readonly name: string;
  readonly input: ToolInput;
}

/** What was decided in `needsApproval`. Hooks may have rewritten the input in the decision. */
interface Review {
  readonly call: WrittenCall;
  readonly reviewed: ReviewedToolCall;
}

/** The maximum number of decisions of a run. The oldest are dropped, because some questions are never answered. */
const most = 1024;

/** The decisions that wait for the tool to run, by the client and the key of the run. */
const waitingByClient = new WeakMap<HookClient, WeakMap<object, Review[]>>();

/** Keeps what the hooks decided in `needsApproval`, until the tool runs. */
export function keepReview(client: HookClient, call: WrittenCall, reviewed: ReviewedToolCall): void {
  const byRun = waitingByClient.get(client) ?? new WeakMap<object, Review[]>();
  waitingByClient.set(client, byRun);
  const { key, callId, name, input } = call;
  byRun.set(key ?? client, [...waitingOf(client, key).slice(1 - most), { call: { key, callId, name, input }, reviewed }]);
}

/** Whether a decision about a call with this id waits. */
export function hasReview(client: HookClient, { key, callId }: OwnedCall): boolean {
  return callId !== undefined && waitingOf(client, key).some(({ call }) => call.callId === callId);
}

/**
 * Returns what the hooks decided about this call, and removes it. `isApproved`: the user has approved the call.
 *
 * Runs to which the app passes the same context may have equal calls with equal ids, and it is not known which of them this one is. Then the
 * strictest decision counts, and the most lenient one is removed, so that it counts for the others too. Calls about
 * which the user is asked are not meant if there is no approval, because the SDK would not run them.
 */
export function takeReview(client: HookClient, call: WrittenCall, isApproved: boolean): ReviewedToolCall | undefined {
  const waiting = waitingOf(client, call.key);
  const same = waiting.filter(({ call: { callId, name, input } }) => {
    return callId === call.callId && name === call.name && isSameJson(input, call.input);
  });
  const decided = same.filter(({ reviewed }) => reviewed.status !== 'asked');
  const [first, ...others] = isApproved || decided.length === 0 ? same : decided;
  if (first === undefined) return undefined;
  let [strictest, mildest] = [first, first];
  for (const other of others) {
    if (strictness(other) > strictness(strictest)) strictest = other;
    if (strictness(other) < strictness(mildest)) mildest = other;
  }
  // A question stays until the user has answered it.
  if (isApproved || mildest.reviewed.status !== 'asked') waiting.splice(waiting.indexOf(mildest), 1);
  return strictest.reviewed;
}

function waitingOf(client: HookClient, key: object | undefined): Review[] {
  return waitingByClient.get(client)?.get(key ?? client) ?? [];
}

function strictness({ reviewed: { status } }: Review): number {
  return status === 'ready' ? 0 : status === 'asked' ? 1 : 2;
}
