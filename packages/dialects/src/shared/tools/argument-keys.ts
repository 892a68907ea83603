import { isSameJson } from '@tenterhook/runtime/json';
import type { ToolArgument } from './tool-arguments.js';
import type { ToolInput } from './tool-table.js';

/** An argument as the host gave it in one input. */
export interface GivenArgument {
  readonly argument: ToolArgument;
  /** The key whose value hooks are told. */
  readonly key: string;
  /** Further keys with the same value: a file that stands there twice must not become two. */
  readonly alike: readonly string[];
  /** Further keys with no value; they say nothing, and stay as they are. */
  readonly empty: readonly string[];
}

/** The arguments that an input has, each once. */
export function givenArguments(input: ToolInput, known: readonly ToolArgument[]): GivenArgument[] {
  return known.flatMap((argument) => {
    const present = argument.hostKeys.filter((key) => Object.hasOwn(input, key));
    const key = present.find((name) => hasValue(input[name])) ?? present[0];
    if (key === undefined) return [];
    const others = present.filter((name) => name !== key);
    const alike = others.filter((name) => isSameJson(input[name], input[key]));
    return [{ argument, key, alike, empty: others.filter((name) => !alike.includes(name) && !hasValue(input[name])) }];
  });
}

/**
 * Under which key a hook is told each argument, by the host's keys, in the order of the input. What is told once is left out. A key that the
 * dialect has for another argument is told with `host_` before it: neither of the two may be lost, and nobody may take the one for the other.
 */
export function toldKeys(input: ToolInput, known: readonly ToolArgument[], given: readonly GivenArgument[]): ReadonlyMap<string, string> {
  const told = new Map(given.map(({ argument, key }) => [key, argument.dialectKeys[0]]));
  const repeated = new Set(given.flatMap(({ alike, empty }) => [...alike, ...empty]));
  const taken = new Set(known.map(({ dialectKeys }) => dialectKeys[0]));
  const spare = (name: string): string => (taken.has(name) || Object.hasOwn(input, name) ? spare(`host_${name}`) : name);
  const keys = new Map<string, string>();
  for (const key of Object.keys(input)) {
    if (repeated.has(key)) continue;
    const name = told.get(key) ?? (taken.has(key) ? spare(`host_${key}`) : key);
    if (name !== key) taken.add(name);
    keys.set(key, name);
  }
  return keys;
}

/** Two keys that could both be one argument, and have different values; undefined where there is no doubt. */
export function rivalKeys(input: ToolInput, known: readonly ToolArgument[]): readonly [string, string] | undefined {
  for (const { hostKeys } of known) {
    const [key, ...others] = hostKeys.filter((name) => Object.hasOwn(input, name) && hasValue(input[name]));
    const rival = others.find((other) => !isSameJson(input[other], input[key as string]));
    if (rival !== undefined) return [key as string, rival];
  }
  return undefined;
}

export function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null;
}
