import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, sha256 } from '../../pin/canonical-json.js';
import type { ReachedEntry, Refusal } from '../reach.js';
import { type PassedLink, targetOf } from './locate.js';
import { readNames } from './read-names.js';
import { type Stamp, statsOf } from './stamp.js';

/** Everything below a folder. */
export interface Folder {
  /** The text that is hashed: the canonical JSON of the entries below the folder. */
  readonly listing: string;
  readonly sha256: string;
  readonly files: number;
  readonly bytes: number;
  /** The stamps of the folder and of everything below it. */
  readonly stamps: ReadonlyMap<string, Stamp>;
  readonly links: readonly PassedLink[];
  readonly refusals: readonly Refusal[];
  readonly open: readonly string[];
}

/** What `readFolder` needs of its project. */
interface Files {
  readonly limits: { readonly files: number; readonly bytes: number; readonly depth: number };
  hash(path: string, stamp: NonNullable<Stamp>): { readonly sha256: string; readonly stamp: NonNullable<Stamp> } | string;
  relative(path: string): string | undefined;
  refusalOf(path: string, stats?: BigIntStats): Refusal | undefined;
}

/**
 * Folders whose content is not hashed:
 * - `node_modules` and `.git` are too large. A hook that uses them counts as one that may run code outside of its pin.
 * - Python writes `__pycache__` when it runs a module, so the hook would change its own pin. Only a hook that imports modules of the
 *   project may run code from this folder.
 */
const leftOut = new Set(['node_modules', '.git', '__pycache__']);

/**
 * Reads everything below a folder. Returns a sentence with the reason if the folder cannot be read, or contains more than one hook may
 * use.
 */
export function readFolder(root: string, files: Files): Folder | string {
  const { limits } = files;
  const list: ReachedEntry[] = [];
  const stamps = new Map<string, Stamp>();
  const links: PassedLink[] = [];
  const refusals: Refusal[] = [];
  const open: string[] = [];
  let [count, bytes] = [0, 0];
  const shown = JSON.stringify(files.relative(root) ?? root);
  const tooMuch = `${shown} has more than ${limits.files} files, ${limits.bytes} bytes or ${limits.depth} levels of folders.`;
  const pending: [string, string, number][] = [[root, '', 0]];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const [folder, prefix, depth] = next;
    if (depth > limits.depth) return tooMuch;
    stamps.set(folder, statsOf(folder));
    const names = readNames(folder, limits.files * 2);
    if (names === undefined) return tooMuch;
    for (const name of names) {
      const path = join(folder, name);
      const relative = prefix + name;
      const stats = statsOf(path);
      if (stats === undefined) {
        // There are two causes. The name is not valid UTF-8, so no file has the decoded name. Or the file was just removed; then the folder
        // has changed and is read again later.
        refusals.push(uninspectable(path));
        continue;
      }
      if (list.length >= limits.files * 2) return tooMuch;
      const refusal = stats.isSymbolicLink() ? undefined : files.refusalOf(path, stats);
      if (refusal !== undefined) refusals.push(refusal);
      if (stats.isDirectory()) {
        if (leftOut.has(name)) {
          if (name !== '__pycache__') open.push(`The content of ${JSON.stringify(files.relative(path) ?? path)} is not listed.`);
          continue;
        }
        list.push({ path: relative, kind: 'folder' });
        pending.push([path, `${relative}/`, depth + 1]);
        continue;
      }
      stamps.set(path, stats);
      if (stats.isSymbolicLink()) {
        const target = targetOf(path) ?? '';
        links.push({ path, target });
        list.push({ path: relative, kind: 'link', target });
        continue;
      }
      if (!stats.isFile()) {
        refusals.push(notRegular(path));
        list.push({ path: relative, kind: 'file' });
        continue;
      }
      count += 1;
      bytes += Number(stats.size);
      if (count > limits.files || bytes > limits.bytes) return tooMuch;
      const hashed = files.hash(path, stats);
      if (typeof hashed === 'string') return hashed;
      stamps.set(path, hashed.stamp);
      list.push({ path: relative, kind: 'file', ...isExecutable(hashed.stamp), sha256: hashed.sha256 });
    }
  }
  list.sort((one, other) => (one.path < other.path ? -1 : 1));
  const listing = canonicalJson(list);
  return { listing, sha256: sha256(listing), files: count, bytes, stamps, links, refusals, open };
}

export function isExecutable({ mode }: NonNullable<Stamp>): { readonly executable?: true } {
  return (mode & 0o111n) === 0n ? {} : { executable: true };
}

function uninspectable(path: string): Refusal {
  const message = `${JSON.stringify(path)} cannot be inspected, perhaps because its name is not valid UTF-8.`;
  return { code: 'not_regular', path, message, remedy: 'Rename or remove it.' };
}

/** Returns the refusal of a pipe, a device or a socket. */
export function notRegular(path: string): Refusal {
  const message = `${JSON.stringify(path)} is a pipe, a socket or a device. The files of a hook must be regular files.`;
  return { code: 'not_regular', path, message, remedy: 'Put a regular file in its place, or remove it.' };
}
