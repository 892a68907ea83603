import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, parse, sep } from 'node:path';
import { judgeOwner, type OwnedStats, type RefusedOwner, type TrustedOwners } from './owners.js';

/**
 * Returns why a file is not safe to decide which hooks run, or undefined if it is safe. The path is absolute. A caller that has just read
 * the stats of the path can pass them.
 */
export type OwnerCheck = (path: string, stats?: InspectedStats) => RefusedOwner | undefined;

/** The stats of a path that the check uses. */
export type InspectedStats = OwnedStats & { isSymbolicLink(): boolean };

/** Linux follows at most this many links in one path. */
const maxLinks = 40;

/**
 * Returns a function that checks the owners of a file and of everything on its path:
 * - in the project: the project directory, and each folder from there to the file;
 * - outside of the project: every folder from the root, because a user who can write to one of them can replace the file;
 * - each link, and the path to its target.
 *
 * A file or folder that does not exist ends the check. When it is created later, it is checked before it is read. `project` is the real
 * path of the project directory. The function remembers its results, so use it for one reading of the settings only.
 */
export function createOwnerCheck(project: string, owners: TrustedOwners | undefined): OwnerCheck {
  if (owners === undefined) return () => undefined;
  const judged = new Map<string, Part>();
  const judge = (path: string, known?: InspectedStats): Part => {
    let part = judged.get(path);
    if (part === undefined) {
      const stats = known ?? inspect(() => lstatSync(path, { throwIfNoEntry: false }));
      const target = stats?.isSymbolicLink() ? inspect(() => readlinkSync(path)) : undefined;
      part = { refusal: stats && judgeOwner(path, stats, owners), target };
      judged.set(path, part);
    }
    return part;
  };
  /** Directories that were checked: no link is on their path, and nothing on it was refused. */
  const clean = new Set<string>();
  return (path, stats) => {
    const isPlain = normalize(path) === path;
    if (isPlain && clean.has(dirname(path))) {
      const { refusal, target } = judge(path, stats);
      if (target === undefined) return refusal;
    }
    let hasLinks = false;
    for (const part of partsOfWay(project, path, (way) => judge(way).target)) {
      const { refusal, target } = judge(part);
      if (refusal !== undefined) return refusal;
      hasLinks ||= target !== undefined;
    }
    if (!hasLinks && isPlain) clean.add(dirname(path));
    return undefined;
  };
}

/** A file, folder or link on a path. */
interface Part {
  readonly refusal: RefusedOwner | undefined;
  /** The target of a link. Undefined for anything else. */
  readonly target: string | undefined;
}

/**
 * Yields the paths that the system visits on its way to a file. In each path, the links before the last part are already resolved.
 * `realpath` was rejected, because it returns only the end of the way. The links on the way are needed too, because the owner of a link
 * decides where it leads.
 */
function* partsOfWay(project: string, path: string, targetOf: (path: string) => string | undefined): Generator<string> {
  let { current, rest } = startOf(project, path);
  yield current;
  for (let links = 0; rest.length > 0; ) {
    const [part = '', ...others] = rest;
    rest = others;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      const isLeaving = current === project;
      // The path leaves the project. Outside of the project, all folders from the root are checked. So the check begins again at the root.
      if (isLeaving) ({ current, rest } = startOf(project, [dirname(project), ...rest].join(sep)));
      else current = dirname(current);
      if (isLeaving) yield current;
      continue;
    }
    const next = join(current, part);
    yield next;
    const target = targetOf(next);
    if (target === undefined) {
      current = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) return;
    const steps = [target, ...rest].join(sep);
    if (!isAbsolute(target)) {
      rest = steps.split(sep);
      continue;
    }
    ({ current, rest } = startOf(project, steps));
    yield current;
  }
}

/** Returns where the check of an absolute path begins: at the project, or at the root for a path outside of it. */
function startOf(project: string, path: string): { current: string; rest: string[] } {
  const isInside = path === project || path.startsWith(project.endsWith(sep) ? project : project + sep);
  const current = isInside ? project : parse(path).root;
  return { current, rest: path.slice(current.length).split(sep) };
}

/** Calls `look`. Returns undefined if `look` throws. Then this process may not access the path, and so cannot read the file either. */
function inspect<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
