import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, parse, sep } from 'node:path';
import { judgeOwner, type RefusedOwner, type TrustedOwners } from './owners.js';

/** Returns why a file must not decide what runs, or undefined. The path is absolute. */
export type OwnerCheck = (path: string) => RefusedOwner | undefined;

/** As many links as Linux follows in one path. */
const maxLinks = 40;

/**
 * Returns a function that checks the owners of everything that leads to a file: the project directory, each folder from there to the file,
 * each link with all that leads to its target, and the file. Outside of the project, every folder from the root is checked, because a user
 * who can write to one of them can replace the file. The check ends at a part that does not exist; what is created there is checked when it
 * is read.
 *
 * `project` is the real path of the project directory. The function remembers what it has seen: use it for one reading of the settings.
 */
export function createOwnerCheck(project: string, owners: TrustedOwners | undefined): OwnerCheck {
  if (owners === undefined) return () => undefined;
  const judged = new Map<string, Part>();
  const judge = (path: string): Part => {
    let part = judged.get(path);
    if (part === undefined) {
      const stats = inspect(() => lstatSync(path, { throwIfNoEntry: false }));
      const target = stats?.isSymbolicLink() ? inspect(() => readlinkSync(path)) : undefined;
      part = { refusal: stats && judgeOwner(path, stats, owners), target };
      judged.set(path, part);
    }
    return part;
  };
  /** Directories without a link on their way of which nothing was refused. */
  const clean = new Set<string>();
  return (path) => {
    const isPlain = normalize(path) === path;
    if (isPlain && clean.has(dirname(path))) {
      const { refusal, target } = judge(path);
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

/** A part of a way. */
interface Part {
  readonly refusal: RefusedOwner | undefined;
  /** Where it leads, if it is a link. */
  readonly target: string | undefined;
}

/**
 * The paths that the system passes on its way to a file, without links in their folders. Not `realpath`: it names the end of the way, but
 * not the links, whose owners decide where they lead.
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
      // Outside of the project the folders above count too, so the way begins again at the root.
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

/** Where the way to an absolute path begins: at the project, or at the root for a path outside of it. */
function startOf(project: string, path: string): { current: string; rest: string[] } {
  const isInside = path === project || path.startsWith(project.endsWith(sep) ? project : project + sep);
  const current = isInside ? project : parse(path).root;
  return { current, rest: path.slice(current.length).split(sep) };
}

/** Undefined if this process may not look: then it cannot read the file either. */
function inspect<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
