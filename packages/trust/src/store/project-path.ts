import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/**
 * Returns one path for a project directory, however the directory is spelled: absolute, without links and `..`. On a disk that ignores
 * case, names have the case in which they are stored. This path identifies the project in pins and in the store. The directory need not
 * exist.
 */
export function realProject(projectDir: string): string {
  let real: string;
  try {
    real = realpathSync.native(projectDir);
  } catch {
    return resolve(projectDir);
  }
  // `realpath` on macOS and Windows corrects the case. On Linux it does not, even for a mounted disk that ignores case.
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
 * Returns the directory that contains a path: the project, or the repository around the project. Returns undefined if the path is outside
 * of both. Directories are compared by their identity on the disk. So the result is right for every spelling, link and second mount of a
 * directory.
 *
 * Only the nearest repository counts. A user may keep the whole home directory in a repository, while the projects in it have
 * repositories of their own.
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
