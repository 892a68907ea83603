import { isSameJson } from '@tenterhook/runtime/json';
import type { ToolEntry, ToolInput, ToolRole } from './tool-table.js';

/** One argument of a tool that both sides know. */
export interface ToolArgument {
  /** The dialect's keys for it: hooks are told the first, and may return any. */
  readonly dialectKeys: readonly [string, ...string[]];
  /** The keys under which the host may give it; the first is used where it gave none. */
  readonly hostKeys: readonly string[];
  readonly isFile: boolean;
}

/** A role, or the dialect's key for an argument that has none. */
type Meaning = ToolRole | `key ${string}`;

/**
 * The arguments of a tool: those of the dialect's table, and those that the host names in `given`, by its own keys. A key of the dialect that the
 * host uses for nothing else counts as one of the host's: a model may write it, and whoever guards the dialect's key must not be shown another.
 */
export function toolArguments(
  ofDialect: ToolEntry | undefined,
  ofHost: ToolEntry | undefined,
  given: Readonly<Record<string, string>> = {},
): ToolArgument[] {
  const known = Object.entries(ofDialect?.keys ?? {}) as [ToolRole, readonly [string, ...string[]]][];
  const isKnown = (name: string) => known.some(([, names]) => names.includes(name));
  const others = [...new Set(Object.values(given).filter((name) => !isKnown(name)))];
  const meanings: [Meaning, readonly [string, ...string[]]][] = [
    ...known,
    ...others.map((name): [Meaning, readonly [string]] => [`key ${name}`, [name]]),
  ];
  const usual = Object.entries(ofHost?.keys ?? {}) as [Meaning, readonly string[]][];
  const hostKeys = new Map<Meaning, readonly string[]>(
    usual.map(([role, keys]) => [role, keys.filter((key) => !Object.hasOwn(given, key))]),
  );
  for (const [meaning, names] of meanings) {
    const named = Object.keys(given).filter((key) => names.includes(given[key] as string));
    if (named.length > 0) hostKeys.set(meaning, named);
  }
  const used = new Set([...hostKeys.values()].flat());
  return meanings.map(([meaning, names]) => ({
    dialectKeys: names,
    hostKeys: [...(hostKeys.get(meaning) ?? []), ...names.filter((name) => !used.has(name))],
    isFile: meaning === 'file',
  }));
}

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
