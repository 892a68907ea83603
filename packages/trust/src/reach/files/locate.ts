import { type BigIntStats, readlinkSync } from 'node:fs';
import { dirname, parse, sep } from 'node:path';
import { statsOf } from './stamp.js';

/** A link on a path. */
export interface PassedLink {
  readonly path: string;
  readonly target: string;
}

/** Where a path leads. */
export interface Place {
  /** The path without links, as far as it exists. */
  readonly path: string;
  /** Undefined if there is no file, or the links lead in a circle. */
  readonly stats: BigIntStats | undefined;
  readonly links: readonly PassedLink[];
  readonly isLoop: boolean;
}

/** Linux follows at most this many links in one path. */
const maxLinks = 40;

/**
 * Follows an absolute path part by part, as the system does, and records each link. `..` means the parent of the folder that was reached,
 * which differs from the text of the path after a link. `isFolder` returns true for paths that are known to be folders without links.
 * These are not examined again.
 */
export function locate(path: string, isFolder: (path: string) => boolean): Place {
  const links: PassedLink[] = [];
  let current = parse(path).root;
  // The next part is the last one in the list. So no part is copied again at each step, whatever the length of the path.
  const parts = partsOf(path.slice(current.length)).reverse();
  const restOf = (first: string) => [first, ...parts.reverse()].join(sep);
  let stats = statsOf(current);
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (part === '..') {
      current = dirname(current);
      stats = undefined;
      continue;
    }
    const next = current.endsWith(sep) ? current + part : current + sep + part;
    if (parts.length > 0 && isFolder(next)) {
      current = next;
      stats = undefined;
      continue;
    }
    stats = statsOf(next);
    if (stats === undefined) return { path: restOf(next), stats, links, isLoop: false };
    if (!stats.isSymbolicLink()) {
      if (parts.length > 0 && !stats.isDirectory()) return { path: restOf(next), stats: undefined, links, isLoop: false };
      current = next;
      continue;
    }
    const target = targetOf(next);
    if (target === undefined || links.length >= maxLinks) return { path: next, stats: undefined, links, isLoop: true };
    links.push({ path: next, target });
    parts.push(...partsOf(target).reverse());
    const { root } = parse(target);
    if (root !== '') current = root;
    stats = undefined;
  }
  return { path: current, stats: stats ?? statsOf(current), links, isLoop: false };
}

function partsOf(path: string): string[] {
  return path.split(sep === '\\' ? /[\\/]/ : '/').filter((part) => part !== '' && part !== '.');
}

/** Returns the target of a link. Undefined if the link was replaced in the meantime. */
export function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns the first file on a path that the system generates, such as the link /proc/self/cwd. This link has another target for the hook
 * than for this process, so its target is unknown.
 */
export function findKernelFile({ path, links }: Place): string | undefined {
  return [...links.map((link) => link.path), path].find(isKernelFile);
}

/** Tests for files that the system generates when they are read. Files in /dev/shm are ordinary files. */
export function isKernelFile(path: string): boolean {
  return /^\/(?:dev(?!\/shm\/)|proc|sys)(?:\/|$)/.test(path);
}
