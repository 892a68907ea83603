import type { Heard, RelayLoss } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { RelayIntent } from './intent.js';

/**
 * Returns a loss if hooks took an argument away, for agents that lay new arguments over the given ones: there the argument would stay.
 */
export function removedKeys(
  { inputs }: RelayIntent,
  { inputs: heard }: Extract<Heard, { kind: 'events' }>,
  agent: string,
): readonly RelayLoss[] {
  const removed = heard.flatMap(({ input }, index) => {
    const [given, rewritten] = [input['tool_input'], inputs[index]];
    return rewritten === undefined || !isPlainObject(given) ? [] : Object.keys(given).filter((key) => !Object.hasOwn(rewritten, key));
  });
  if (removed.length === 0) return [];
  const named = removed.map((key) => JSON.stringify(key)).join(', ');
  return [{ effect: 'input', message: `${agent} cannot take an argument of a tool away, and a hook removed ${named}.` }];
}
