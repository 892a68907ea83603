import { isSameJson } from '@tenterhook/runtime/json';
import { givenArguments, toldKeys } from './argument-keys.js';
import type { ToolArgument } from './tool-arguments.js';
import type { ToolInput } from './tool-table.js';

/**
 * What a hook returned, under the keys of the host's `original` input. `told` is how a value of an argument is told: what comes back as that is
 * the value that stands in the original, so that a relative path stays relative.
 */
export function returnedValues(
  returned: ToolInput,
  original: ToolInput,
  known: readonly ToolArgument[],
  told: (argument: ToolArgument, value: unknown) => unknown,
): ToolInput {
  const given = new Map(givenArguments(original, known).map((one) => [one.argument, one]));
  const hostKeys = new Map([...toldKeys(original, known, [...given.values()])].map(([key, name]) => [name, key]));
  const entries = new Map<string, unknown>();
  const read = new Set<string>();
  for (const argument of known) {
    const keys = namesIn(returned, argument, known, hostKeys);
    const [name] = keys;
    if (name === undefined) continue;
    for (const key of keys) read.add(key);
    const value = returned[name];
    const one = given.get(argument);
    if (one === undefined) {
      // Without a key of the host's there is no such argument; under the dialect's it would become another one.
      const [key] = argument.hostKeys;
      if (key !== undefined) entries.set(key, value);
      continue;
    }
    const isAsTold = isSameJson(value, told(argument, original[one.key]));
    for (const key of [one.key, ...one.alike]) entries.set(key, isAsTold ? original[key] : value);
    for (const key of one.empty) entries.set(key, original[key]);
  }
  for (const [name, value] of Object.entries(returned)) if (!read.has(name)) entries.set(hostKeys.get(name) ?? name, value);
  return Object.fromEntries(entries);
}

/**
 * The keys under which a hook returned an argument: the dialect's, else one of the host's that no argument is told under. The first counts. Several
 * must not all get to the tool, which might read either.
 */
function namesIn(
  returned: ToolInput,
  argument: ToolArgument,
  known: readonly ToolArgument[],
  hostKeys: ReadonlyMap<string, string>,
): readonly string[] {
  const isOthers = (name: string) => known.some((other) => other !== argument && other.dialectKeys.includes(name));
  const told = argument.dialectKeys[0];
  // What was told as it stands in the input, a rival say, is an argument of its own.
  const isTold = (name: string) => name !== told && hostKeys.has(name);
  return [...new Set([...argument.dialectKeys, ...argument.hostKeys])].filter(
    (name) => Object.hasOwn(returned, name) && !isOthers(name) && !isTold(name),
  );
}
