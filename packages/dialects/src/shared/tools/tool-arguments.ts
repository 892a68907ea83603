import type { ToolEntry, ToolRole } from './tool-table.js';

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
