import type { HookClient, ReviewedToolCall, ToolInput } from '@tenterhook/agent';
import { runsOf } from '@tenterhook/agent/internal';
import { isSameJson } from '@tenterhook/runtime/json';
import { knownCall, type OwnedCall } from '../known-calls.js';

/** A call as the model wrote it. */
interface WrittenCall extends OwnedCall {
  readonly name: string;
  readonly input: ToolInput;
}

/** The calls by what was decided about them. Hooks may have rewritten the input in the decision. */
const calls = new WeakMap<ReviewedToolCall, WrittenCall>();

/** Keeps what the hooks decided in `needsApproval`, until the tool runs. */
export function keepReview(client: HookClient, call: WrittenCall & { readonly callId: string }, reviewed: ReviewedToolCall): void {
  const { key, callId, name, input } = call;
  calls.set(reviewed, { key, callId, name, input });
  runsOf(client).at(key).note(callId, { reviewed });
}

/**
 * Returns what the hooks decided about this call. The id alone does not tell: runs to which the app passes the same context may have calls
 * with equal ids, and the decision about one must not count for another.
 */
export function findReview(client: HookClient, call: WrittenCall): ReviewedToolCall | undefined {
  const reviewed = knownCall(client, call)?.reviewed;
  const of = reviewed === undefined ? undefined : calls.get(reviewed);
  return of !== undefined && of.callId === call.callId && of.name === call.name && isSameJson(of.input, call.input) ? reviewed : undefined;
}
