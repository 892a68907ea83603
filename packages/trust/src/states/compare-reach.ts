import { canonicalJson } from '../pin/canonical-json.js';
import type { ReachedEntry } from '../reach/reach.js';

/** Returns a stored content by its SHA-256: the bytes of a file, or the list of a folder. Undefined if it was not stored. */
export type ContentOf = (sha256: string) => Uint8Array | undefined;

/** The files that a hook uses, and their stored contents. */
export interface KnownReach {
  readonly entries: readonly ReachedEntry[];
  readonly content: ContentOf;
}

/** A file, folder, link or missing name that differs. */
export interface ReachChange {
  /** The path relative to the project. */
  readonly path: string;
  /** Absent if the hook did not use the entry before. */
  readonly before?: ReachedEntry | undefined;
  /** Absent if the hook no longer uses the entry. */
  readonly now?: ReachedEntry | undefined;
}

/**
 * Returns the differences between the files of two versions of a hook, including files in folders. If the list of a folder was not
 * stored, the folder itself is reported as different. A name that is recorded as missing counts as equal to a name that is not recorded.
 */
export function compareReach(before: KnownReach, now: KnownReach): ReachChange[] {
  const [earlier, later] = [flatten(before), flatten(now)];
  const paths = [...new Set([...earlier.keys(), ...later.keys()])].sort();
  return paths.flatMap((path): ReachChange[] => {
    const [one, other] = [earlier.get(path), later.get(path)];
    if (canonicalJson(one ?? null) === canonicalJson(other ?? null)) return [];
    // If both lists of the folder are known, its entries show what has changed.
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
  // A folder inside of a listed folder has no list of its own.
  return entry.sha256 === undefined || entriesOf(entry, content) !== undefined;
}

function entriesOf({ sha256 }: ReachedEntry, content: ContentOf): readonly ReachedEntry[] | undefined {
  const bytes = sha256 === undefined ? undefined : content(sha256);
  // The SHA-256 was checked when the list was read, so `readFolder` wrote it and its shape is known.
  return bytes === undefined ? undefined : (JSON.parse(Buffer.from(bytes).toString('utf8')) as ReachedEntry[]);
}
