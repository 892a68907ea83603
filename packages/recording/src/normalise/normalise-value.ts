import { describeValue } from '@tenterhook/runtime/text';
import { idFields, isVolatile, type NameId, normaliseText } from './volatile-texts.js';

/** How values are made comparable. */
export interface NormaliseRules {
  /** Paths that are left out, for example `output.outcomes.*.output.systemMessage`. `*` means one key or index. @default none */
  readonly ignore?: readonly string[] | undefined;
  /** Called last, with each value and its path. What it returns is compared. @default the value */
  readonly normalise?: ((value: unknown, path: string) => unknown) | undefined;
}

/** The ids of one side of a comparison. */
export interface IdContext {
  readonly knownIds: ReadonlySet<string>;
  readonly nameId: NameId;
}

/**
 * Returns a comparable copy of plain JSON: without what differs from run to run, with sorted keys, so that two equal values also have equal
 * JSON. Throws a TypeError for rules of the wrong type.
 */
export function createNormaliser({ ignore = [], normalise }: NormaliseRules): (value: unknown, path: string, ids: IdContext) => unknown {
  if (!Array.isArray(ignore) || ignore.some((path) => typeof path !== 'string')) {
    throw new TypeError(`ignore must be a list of paths, and is ${describeValue(ignore)}.`);
  }
  if (normalise !== undefined && typeof normalise !== 'function') {
    throw new TypeError(`normalise must be a function, and is ${describeValue(normalise)}.`);
  }
  const isIgnored = compileIgnore(ignore);
  const copy = (value: unknown, path: string, key: string, ids: IdContext): unknown => {
    const copied = copyOf(value, path, key, ids);
    return normalise === undefined ? copied : normalise(copied, path);
  };
  const copyOf = (value: unknown, path: string, key: string, ids: IdContext): unknown => {
    if (typeof value === 'string') return idFields.has(key) ? ids.nameId(value) : normaliseText(value, ids.knownIds, ids.nameId);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item, index) => copy(item, `${path}.${index}`, key, ids));
    const fields = value as Readonly<Record<string, unknown>>;
    const names = Object.keys(fields).filter((name) => fields[name] !== undefined && !isVolatile(name, fields[name]));
    return Object.fromEntries(
      names
        .sort()
        .filter((name) => !isIgnored(joined(path, name)))
        .map((name) => [normaliseText(name, ids.knownIds, ids.nameId), copy(fields[name], joined(path, name), name, ids)]),
    );
  };
  return (value, path, ids) => (isIgnored(path) ? undefined : copy(value, path, '', ids));
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** A segment of a pattern is compared as a text, so a pattern takes linear time. */
function compileIgnore(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const compiled = patterns.map((pattern) => pattern.split('.'));
  return (path) => {
    const segments = path.split('.');
    return compiled.some(
      (pattern) => pattern.length === segments.length && pattern.every((part, index) => part === '*' || part === segments[index]),
    );
  };
}
