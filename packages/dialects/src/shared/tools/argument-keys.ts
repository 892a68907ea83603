import { isSameJson } from '@tenterhook/runtime/json';
import type { ToolEntry, ToolInput, ToolRole } from './tool-table.js';

/** An argument of a tool, with its keys on both sides. */
export interface ToolArgument {
  /** The dialect's keys: hooks get the first, and may return any. */
  readonly dialectKeys: readonly [string, ...string[]];
  /** The host's keys. The first is used for an argument that the host did not pass. */
  readonly hostKeys: readonly string[];
  readonly isFile: boolean;
}

/** A role, or the dialect's key of an argument without a role. */
type Meaning = ToolRole | `key ${string}`;

/**
 * The arguments of a tool: those of the dialect's table, and those that the host maps in `mapped`, by the host's keys. A key of the dialect that the
 * host does not use otherwise counts as one of the host's: a model may write it, and a guard of that key must see the same value as the tool.
 */
export function toolArguments(
  ofDialect: ToolEntry | undefined,
  ofHost: ToolEntry | undefined,
  mapped: Readonly<Record<string, string>> = {},
): ToolArgument[] {
  const known = Object.entries(ofDialect?.keys ?? {}) as [ToolRole, readonly [string, ...string[]]][];
  const isKnown = (name: string) => known.some(([, names]) => names.includes(name));
  const others = [...new Set(Object.values(mapped).filter((name) => !isKnown(name)))];
  const meanings: [Meaning, readonly [string, ...string[]]][] = [
    ...known,
    ...others.map((name): [Meaning, readonly [string]] => [`key ${name}`, [name]]),
  ];
  const usual = Object.entries(ofHost?.keys ?? {}) as [Meaning, readonly string[]][];
  const hostKeys = new Map<Meaning, readonly string[]>(
    usual.map(([role, keys]) => [role, keys.filter((key) => !Object.hasOwn(mapped, key))]),
  );
  for (const [meaning, names] of meanings) {
    const named = Object.keys(mapped).filter((key) => names.includes(mapped[key] as string));
    if (named.length > 0) hostKeys.set(meaning, named);
  }
  const used = new Set([...hostKeys.values()].flat());
  return meanings.map(([meaning, names]) => ({
    dialectKeys: names,
    hostKeys: [...(hostKeys.get(meaning) ?? []), ...names.filter((name) => !used.has(name))],
    isFile: meaning === 'file',
  }));
}

/** An argument in an input of the host. */
export interface GivenArgument {
  readonly argument: ToolArgument;
  /** The key whose value hooks get. */
  readonly key: string;
  /** Other keys with the same value: hooks must not see one file as two arguments. */
  readonly alike: readonly string[];
  /** Other keys without a value. They stay as they are. */
  readonly empty: readonly string[];
}

/** The arguments in an input, each once. */
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
 * The keys of an input as hooks get them, by the host's keys, in the order of the input. Further keys of one argument are left out. A key that the
 * dialect has for another argument gets the prefix `host_`: neither may be lost, or be taken for the other.
 */
export function argumentKeys(
  input: ToolInput,
  known: readonly ToolArgument[],
  given: readonly GivenArgument[],
): ReadonlyMap<string, string> {
  const shown = new Map(given.map(({ argument, key }) => [key, argument.dialectKeys[0]]));
  const repeated = new Set(given.flatMap(({ alike, empty }) => [...alike, ...empty]));
  const taken = new Set(known.map(({ dialectKeys }) => dialectKeys[0]));
  const spare = (name: string): string => (taken.has(name) || Object.hasOwn(input, name) ? spare(`host_${name}`) : name);
  const keys = new Map<string, string>();
  for (const key of Object.keys(input)) {
    if (repeated.has(key)) continue;
    const name = shown.get(key) ?? (taken.has(key) ? spare(`host_${key}`) : key);
    if (name !== key) taken.add(name);
    keys.set(key, name);
  }
  return keys;
}

/** Two keys that could both be one argument, with different values; undefined if no two conflict. */
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
 * The input that a hook returned, under the keys of the host's `original`. `toDialect` is the value that hooks get for a value of the host: where it
 * comes back unchanged, the original value is kept, so that a relative path stays relative.
 */
export function returnedValues(
  returned: ToolInput,
  original: ToolInput,
  known: readonly ToolArgument[],
  toDialect: (argument: ToolArgument, value: unknown) => unknown,
): ToolInput {
  const given = new Map(givenArguments(original, known).map((one) => [one.argument, one]));
  const hostKeys = new Map([...argumentKeys(original, known, [...given.values()])].map(([key, name]) => [name, key]));
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
      // Without a key of the host the argument does not exist there, and the dialect's key would be another argument.
      const [key] = argument.hostKeys;
      if (key !== undefined) entries.set(key, value);
      continue;
    }
    const isUnchanged = isSameJson(value, toDialect(argument, original[one.key]));
    for (const key of [one.key, ...one.alike]) entries.set(key, isUnchanged ? original[key] : value);
    for (const key of one.empty) entries.set(key, original[key]);
  }
  for (const [name, value] of Object.entries(returned)) if (!read.has(name)) entries.set(hostKeys.get(name) ?? name, value);
  return Object.fromEntries(entries);
}

/**
 * The keys under which a hook returned an argument: the dialect's, else keys of the host that no argument has in the dialect. Only the first counts:
 * the tool must not get several, of which it might read any.
 */
function namesIn(
  returned: ToolInput,
  argument: ToolArgument,
  known: readonly ToolArgument[],
  hostKeys: ReadonlyMap<string, string>,
): readonly string[] {
  const isOfAnother = (name: string) => known.some((other) => other !== argument && other.dialectKeys.includes(name));
  const own = argument.dialectKeys[0];
  // A key that hooks got for something else, such as a rival, is an argument of its own.
  const isTaken = (name: string) => name !== own && hostKeys.has(name);
  return [...new Set([...argument.dialectKeys, ...argument.hostKeys])].filter(
    (name) => Object.hasOwn(returned, name) && !isOfAnother(name) && !isTaken(name),
  );
}
