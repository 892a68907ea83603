import { canonicalJson } from '../pin/canonical-json.js';
import type { PinnedHook } from '../pin/pin.js';

/** The accepted version of a hook, or its current one, for a comparison. */
export type Pinned = Pick<PinnedHook, 'definition' | 'environment' | 'reach'>;

/** A difference between two versions of a hook. */
export type PinChange =
  | { readonly part: 'definition' | 'environment'; readonly name: string }
  /** `path` is relative to the project. */
  | { readonly part: 'reach'; readonly path: string; readonly how: 'appeared' | 'changed' | 'is gone' }
  | { readonly part: 'open' };

/** Returns the differences between two versions of a hook: first in its definition, then in its environment, then in its files. */
export function changesBetween(before: Pinned, now: Pinned): PinChange[] {
  const entries = new Map(before.reach.entries.map((entry) => [entry.path, entry]));
  const reached = now.reach.entries.flatMap((entry): PinChange[] => {
    const known = entries.get(entry.path);
    entries.delete(entry.path);
    if (known !== undefined && canonicalJson(known) === canonicalJson(entry)) return [];
    const how = entry.kind === 'absent' ? 'is gone' : known === undefined || known.kind === 'absent' ? 'appeared' : 'changed';
    return [{ part: 'reach', path: entry.path, how }];
  });
  const gone = [...entries.keys()].map((path): PinChange => ({ part: 'reach', path, how: 'is gone' }));
  const files = [...reached, ...gone].map((change) => (change.part === 'reach' ? change.path : ''));
  // The hash of a folder changes with each file in it. If one of its files is reported, the folder is not reported too.
  const isCovered = (change: PinChange) => change.part === 'reach' && files.some((path) => path.startsWith(`${change.path}/`));
  const isOpenSame = canonicalJson(before.reach.open) === canonicalJson(now.reach.open);
  return [
    ...namesThatDiffer(before.definition, now.definition).map((name): PinChange => ({ part: 'definition', name })),
    ...namesThatDiffer(before.environment, now.environment).map((name): PinChange => ({ part: 'environment', name })),
    ...[...reached, ...gone].filter((change) => !isCovered(change)),
    ...(isOpenSame ? [] : [{ part: 'open' } as const]),
  ];
}

/** The maximum number of changes that a sentence names. */
const maxNamed = 3;

/** Returns a clause that says what has changed, such as `"command" of its definition and the file guard.sh have changed`. */
export function describeChanges(changes: readonly PinChange[]): string {
  const named = changes.slice(0, maxNamed).map(describeChange);
  const rest = changes.length - named.length;
  if (rest > 0) named.push(`${rest} more`);
  const last = named.pop();
  if (last === undefined) return 'nothing that is compared has changed';
  return named.length === 0 ? `${last} has changed` : `${named.join(', ')} and ${last} have changed`;
}

function describeChange(change: PinChange): string {
  switch (change.part) {
    case 'definition':
      return `${JSON.stringify(change.name)} of its settings`;
    case 'environment':
      return `the variable ${JSON.stringify(change.name)}`;
    case 'reach':
      return `the file ${JSON.stringify(change.path)}`;
    case 'open':
      return 'what it runs that cannot be listed';
  }
}

function namesThatDiffer(before: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(now[name] ?? null)).sort();
}
