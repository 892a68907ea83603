import { canonicalJson } from '../pin/canonical-json.js';
import type { ReachedEntry } from '../reach/reach.js';

/** Returns a kept content by its SHA-256: of a file its bytes, of a folder the list of its entries. Undefined if it was not kept. */
export type ContentOf = (sha256: string) => Uint8Array | undefined;

/** What a hook reaches, and the contents that are known of it. */
export interface KnownReach {
  readonly entries: readonly ReachedEntry[];
  readonly content: ContentOf;
}

/** A file, folder, link or missing name that differs. */
export interface ReachChange {
  /** The path relative to the project. */
  readonly path: string;
  /** Absent if it was not reached before. */
  readonly before?: ReachedEntry | undefined;
  /** Absent if it is no longer reached. */
  readonly now?: ReachedEntry | undefined;
}

/**
 * Returns what differs between two reaches, file by file, those below reached folders included. If the list of a folder was not kept, the folder
 * itself is the change. A name that does not exist is the same as one that is not reached.
 */
export function compareReach(before: KnownReach, now: KnownReach): ReachChange[] {
  const [earlier, later] = [flatten(before), flatten(now)];
  const paths = [...new Set([...earlier.keys(), ...later.keys()])].sort();
  return paths.flatMap((path): ReachChange[] => {
    const [one, other] = [earlier.get(path), later.get(path)];
    if (canonicalJson(one ?? null) === canonicalJson(other ?? null)) return [];
    // If the list of a folder is known on both sides, its entries show what has changed.
    if (one?.kind === 'folder' && other?.kind === 'folder' && isListed(one, before) && isListed(other, now)) return [];
    return [{ path, before: one, now: other }];
  });
}

function flatten({ entries, content }: KnownReach): Map<string, ReachedEntry> {
  const flat = new Map<string, ReachedEntry>();
  for (const entry of entries) {
    if (entry.kind !== 'absent') flat.set(entry.path, entry);
    if (entry.kind !== 'folder') continue;
    for (const below of entriesOf(entry, content) ?? [])
      flat.set(`${entry.path}/${below.path}`, { ...below, path: `${entry.path}/${below.path}` });
  }
  return flat;
}

function isListed(entry: ReachedEntry, { content }: KnownReach): boolean {
  // A folder below a reached one has no list of its own.
  return entry.sha256 === undefined || entriesOf(entry, content) !== undefined;
}

function entriesOf({ sha256 }: ReachedEntry, content: ContentOf): readonly ReachedEntry[] | undefined {
  const bytes = sha256 === undefined ? undefined : content(sha256);
  // Its SHA-256 was compared when it was read, so it is what `readFolder` wrote.
  return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString('utf8')) as ReachedEntry[]);
}
