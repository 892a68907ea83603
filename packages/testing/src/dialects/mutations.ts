import { isPlainObject, pathText } from '@tenterhook/runtime/json';

export type Path = readonly (string | number)[];

/** Settings with one change. */
export interface Mutation {
  /** The change in words, e.g. `hooks.BeforeTool is null`. */
  readonly what: string;
  readonly path: Path;
  readonly settings: unknown;
  readonly was: unknown;
  /** The new value. Missing if the old value was removed, or if keys were added to the old value. */
  readonly put?: unknown;
}

/** Keys that every object inherits. A file may have them as keys of its own. */
const inheritedKeys = JSON.parse(
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":7,"":null}',
) as object;

const put: readonly unknown[] = [
  null,
  true,
  false,
  ...[0, -1, 0.5, 2_147_483_648, 1e300],
  ...['', 'x', '[', '5s', 'a/b', '\u0000\ud800\u202e', 'x'.repeat(100_000)],
  ...[[], [null], [[[]]], ['x', 7]],
  ...[{}, { x: 1 }, { x: {} }, inheritedKeys],
];

/**
 * Returns versions of the settings with one change each. For every path there is a version with each wrong value, a version without
 * the value, and a version with unexpected keys.
 */
export function mutationsOf(settings: unknown, folder: Path = []): Mutation[] {
  const paths = pathsOf(settings).filter((path) => isInside(path, folder));
  return paths.flatMap((path) => {
    const name = path.length === 0 ? 'the document' : pathText(path);
    const was = valueAt(settings, path);
    const at = { path, was };
    return [
      ...put.map((value) => ({ ...at, what: `${name} is ${briefly(value)}`, settings: withValueAt(settings, path, value), put: value })),
      ...(path.length === 0 ? [] : [{ ...at, what: `${name} is left out`, settings: withoutValueAt(settings, path) }]),
      ...(isPlainObject(was) ? [{ ...at, what: `${name} has keys of every object`, settings: withKeys(settings, path, was) }] : []),
    ];
  });
}

/** Returns the path of a text that contains `part`. */
export function pathOfText(settings: unknown, part: string): Path | undefined {
  return pathsOf(settings).find((path) => {
    const value = valueAt(settings, path);
    return typeof value === 'string' && value.includes(part);
  });
}

export function isInside(path: Path, folder: Path): boolean {
  return folder.every((step, index) => path[index] === step);
}

export function pathsOf(value: unknown, path: Path = []): Path[] {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isPlainObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...entries.flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((node, step) => (node as Record<string | number, unknown>)[step], value);
}

export function withValueAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? withValueAt(item, rest, replacement) : item));
  return fromEntries(value, ([key, item]) => [[key, key === step ? withValueAt(item, rest, replacement) : item]]);
}

function withoutValueAt(value: unknown, path: Path): unknown {
  const [step, ...rest] = path;
  const isLast = rest.length === 0;
  const change = (key: string | number, item: unknown): unknown[] => {
    if (key !== step) return [item];
    return isLast ? [] : [withoutValueAt(item, rest)];
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => change(index, item));
  return fromEntries(value, ([key, item]) => change(key, item).map((kept) => [key, kept]));
}

function withKeys(settings: unknown, path: Path, object: object): unknown {
  return withValueAt(settings, path, Object.fromEntries([...Object.entries(object), ...Object.entries(inheritedKeys)]));
}

/** Assigning the entries was rejected: an entry `__proto__` would become the prototype. */
function fromEntries(value: unknown, change: (entry: [string, unknown]) => [string, unknown][]): unknown {
  return Object.fromEntries(Object.entries(value as object).flatMap(change));
}

function briefly(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
