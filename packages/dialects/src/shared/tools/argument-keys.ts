import { isSameJson } from '@tenterhook/runtime/json';
import type { ToolArguments, ToolEntry, ToolRole } from './tool-table.js';

/** An argument of a tool: its keys in the dialect, and its keys in the host. */
export interface ToolArgument {
  /** The dialect's keys. Hooks receive the first key, and may return any of them. */
  readonly dialectKeys: readonly [string, ...string[]];
  /** The host's keys. If a hook adds the argument, the host receives the first key. */
  readonly hostKeys: readonly string[];
  readonly isFile: boolean;
}

/** What an argument means: its role, or the dialect's key if it has no role. */
type Meaning = ToolRole | `key ${string}`;

/**
 * Returns the known arguments of a tool: those in the dialect's table and those in `mapped`, which maps keys of the host to keys of
 * the dialect. The dialect's key for an argument is also recognised in the host's input, unless the host uses this key for another
 * argument. A model may use the dialect's key, and a guard must see what the tool reads.
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

/** A known argument that is present in the input of the host's tool. */
export interface GivenArgument {
  readonly argument: ToolArgument;
  /** The key whose value hooks receive. */
  readonly key: string;
  /**
   * Other keys of the same argument with the same value. Hooks do not receive these keys, because they would see one file as two
   * arguments.
   */
  readonly alike: readonly string[];
  /** Other keys of the argument without a value. They are not changed. */
  readonly empty: readonly string[];
}

/** Returns the known arguments that an input contains. Each argument is listed once. */
export function givenArguments(input: ToolArguments, known: readonly ToolArgument[]): GivenArgument[] {
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
 * Maps each key of an input to the key that hooks receive, in the order of the input. If several keys mean the same argument, the
 * map contains only one of them. A key that has another meaning in the dialect gets the prefix `host_`.
 */
export function argumentKeys(
  input: ToolArguments,
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

/** Returns two keys that mean the same argument but have different values, or undefined. */
export function rivalKeys(input: ToolArguments, known: readonly ToolArgument[]): readonly [string, string] | undefined {
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
 * Converts the input that a hook wrote to the keys of `original`, which is the host's input. `toDialect` converts a value of the
 * host into the value that hooks receive. If the hook returns this value unchanged, the host's value is kept, so that a relative
 * path stays relative.
 */
export function returnedValues(
  returned: ToolArguments,
  original: ToolArguments,
  known: readonly ToolArgument[],
  toDialect: (argument: ToolArgument, value: unknown) => unknown,
): ToolArguments {
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
      // The hook added this argument, but the host has no key for it. It is dropped, because the dialect's key has another meaning
      // in the host's tool.
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
 * Returns the keys under which a hook returned an argument: first the dialect's keys, then the host's. Keys that mean another
 * argument in the dialect are left out. The caller uses only the first key, because it is unknown which of several keys the tool
 * reads.
 */
function namesIn(
  returned: ToolArguments,
  argument: ToolArgument,
  known: readonly ToolArgument[],
  hostKeys: ReadonlyMap<string, string>,
): readonly string[] {
  const isOfAnother = (name: string) => known.some((other) => other !== argument && other.dialectKeys.includes(name));
  const own = argument.dialectKeys[0];
  // Whether hooks received another argument under this key.
  const isTaken = (name: string) => name !== own && hostKeys.has(name);
  return [...new Set([...argument.dialectKeys, ...argument.hostKeys])].filter(
    (name) => Object.hasOwn(returned, name) && !isOfAnother(name) && !isTaken(name),
  );
}
