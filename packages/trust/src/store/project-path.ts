import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/**
 * Returns the one path of a project directory, whatever spelling leads to it: without links and `..`, and on a disk that ignores case with the
 * case that the names have there. It identifies the project in pins and in the store. A directory that does not exist has its absolute
 * path.
 */
export function realProject(projectDir: string): string {
  let real: string;
  try {
    real = realpathSync.native(projectDir);
  } catch {
    return resolve(projectDir);
  }
  // The system corrects the case on macOS and Windows, but not on a disk of theirs that Linux has mounted.
  return process.platform === 'linux' ? correctCase(real) : real;
}

function correctCase(path: string): string {
  const parent = dirname(path);
  if (parent === path) return path;
  return join(correctCase(parent), nameOnDisk(parent, basename(path)));
}

/** Returns the name as the folder lists it, if the folder ignores case. */
function nameOnDisk(folder: string, name: string): string {
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  if (other === name || !isSame(join(folder, name), join(folder, other))) return name;
  try {
    const names = readdirSync(folder);
    return names.includes(name) ? name : (names.find((listed) => listed.toLowerCase() === name.toLowerCase()) ?? name);
  } catch {
    return name;
  }
}

function isSame(one: string, other: string): boolean {
  const found = lstatSync(other, { throwIfNoEntry: false, bigint: true });
  const own = lstatSync(one, { throwIfNoEntry: false, bigint: true });
  return found !== undefined && own !== undefined && found.dev === own.dev && found.ino === own.ino;
}

/**
 * Returns the directory whose files a repository decides and that contains the path: the project, or the repository that the project is a
 * part of. Undefined if the path is outside of both. Directories are compared by their identity on the disk, not by their names, so that
 * no spelling, link or second mount hides that one is inside of the other.
 *
 * The repository is the nearest one: a user may keep the whole home directory in another one, and the projects below have their own.
 */
export function findRepositoryAround(path: string, project: string): string | undefined {
  const repository = ancestorsOf(project).find((folder) => identityOf(join(folder, '.git')) !== undefined);
  const insides = new Set(ancestorsOf(realOf(path)).map(identityOf));
  return [project, repository].find((folder) => {
    const identity = folder === undefined ? undefined : identityOf(folder);
    return identity !== undefined && insides.has(identity);
  });
}

/** Returns the path without links, as far as it exists. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), basename(path));
  }
}

/** Returns the path and all folders above it. */
function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path || !path.includes(sep) ? [path] : [path, ...ancestorsOf(parent)];
}

function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch {
    return undefined;
  }
}
