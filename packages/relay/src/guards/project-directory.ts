import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';

/** Returns the nearest folder above a path that exists. A deleted working tree must not make guards fail. */
export function existingFolder(path: string): string {
  for (let folder = path; ; folder = dirname(folder)) {
    if (isFolder(folder) || dirname(folder) === folder) return folder;
  }
}

/**
 * Finds the directory of the project: that of the agent's variable if it contains the working directory, else the nearest folder with
 * `.git`, else the working directory.
 */
export function findProjectDirectory(
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
  variables: readonly string[],
): string {
  const named = variables.filter((name) => name.endsWith('_PROJECT_DIR')).map((name) => environment[name]);
  const given = named.find((path): path is string => path !== undefined && isAbsolute(path) && isFolder(path) && contains(path, cwd));
  if (given !== undefined) return given;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

function contains(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner === '' || (!inner.startsWith('..') && !isAbsolute(inner));
}

/** A path that is too long or may not be read must not make guards fail either. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
