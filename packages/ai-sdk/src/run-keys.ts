import { fieldsOfAll } from '@tenterhook/agent/internal';
import { isAnswered } from './tools/approval-messages.js';

/**
 * The keys of runs, by the lists of messages of their steps. The SDK passes the list of the steps of a run to `prepareStep`, and the messages
 * of a step to `prepareStep`, to approval callbacks and to `execute`. Each list is made for one run. A signal was rejected as the key: most
 * programs pass none, and some pass the same one to all runs.
 */
const keys = new WeakMap<object, object>();

/**
 * The messages of runs that continue with an answer of the user, by the message with the answer. Such a run runs the tool before its first
 * step, when the list of steps is not at hand, and has the messages themselves as its key.
 */
const continued = new WeakMap<object, object>();

/** Notes that a step with these messages belongs to the run with this key. */
export function noteStep(messages: unknown, key: object): void {
  if (typeof messages === 'object' && messages !== null) keys.set(messages, key);
}

/** Returns the key of the run that a step belongs to. `messages` are those of the step. */
export function keyOfStep(steps: readonly unknown[], messages: unknown): object {
  const known = keys.get(steps);
  if (known !== undefined || steps.length > 0) return known ?? steps;
  // After the answer, the first step has the results of the tools that ran with it. Any other message begins a later run.
  const all = fieldsOfAll(messages);
  const answer = all.slice(all.findLastIndex(({ role }) => role !== 'tool') + 1).find((message) => continued.has(message));
  const key = (answer === undefined ? undefined : continued.get(answer)) ?? steps;
  keys.set(steps, key);
  return key;
}

/**
 * Returns the key of the run that a tool or an approval callback belongs to. Undefined if the program has replaced our `prepareStep`, and the
 * run does not continue with an answer of the user.
 */
export function keyOfRun(messages: readonly unknown[] | undefined, callId: string): object | undefined {
  const known = messages === undefined ? undefined : keys.get(messages);
  if (known !== undefined || messages === undefined || !isAnswered(messages, callId)) return known;
  const answer = messages.at(-1);
  if (typeof answer === 'object' && answer !== null) continued.set(answer, messages);
  return messages;
}
