import { isAnswered } from './tools/approval-messages.js';

/**
 * The keys of runs, by the lists of messages of their steps. The SDK passes the list of the steps of a run to `prepareStep`, and the messages
 * of a step to `prepareStep`, to approval callbacks and to `execute`. Each list is made for one run. A signal was rejected as the key: most
 * programs pass none, and some pass the same one to all runs.
 */
const keys = new WeakMap<object, object>();

/** Notes that a step with these messages belongs to the run with this key. */
export function noteStep(messages: unknown, key: object): void {
  if (typeof messages === 'object' && messages !== null) keys.set(messages, key);
}

/**
 * Returns the key of the run that a tool or an approval callback belongs to. A run that continues with an answer of the user runs the tool
 * before its first step, and has the messages themselves as its key there. Undefined if the program has replaced our `prepareStep`.
 */
export function keyOfRun(messages: readonly unknown[] | undefined, callId: string): object | undefined {
  const known = messages === undefined ? undefined : keys.get(messages);
  return known ?? (isAnswered(messages, callId) ? messages : undefined);
}
