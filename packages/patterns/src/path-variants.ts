import { foldCase, type PathOptions } from './path-case.js';

/**
 * Returns the texts to test for one path, without duplicates (decision 43): the path as given, normalised, absolute, and relative
 * to the working directory if the path is inside it. If the working directory is not absolute, only the first two are returned. An
 * empty path names no file, so it is returned alone.
 *
 * Paths are POSIX paths and only text. Links are not followed, so a link can bypass a pattern. This is accepted, because the
 * planner must not access the disk. A hook that guards a file must resolve links itself. "~" is not expanded. `node:path` was
 * rejected, because on Windows it applies the rules of Windows.
 */
export function pathVariants(path: string, workingDirectory: string, { ignoreCase = false }: PathOptions = {}): string[] {
  if (path === '') return [path];
  const variants = new Set([path, normalise(path)]);
  const absolute = toAbsolute(path, workingDirectory);
  if (absolute !== undefined) {
    variants.add(absolute);
    const relative = insideOf(workingDirectory, absolute, ignoreCase ? foldCase : (name) => name);
    if (relative !== undefined) variants.add(relative);
  }
  return [...variants];
}

function toAbsolute(path: string, workingDirectory: string): string | undefined {
  if (path.startsWith('/')) return normalise(path);
  return workingDirectory.startsWith('/') ? normalise(`${workingDirectory}/${path}`) : undefined;
}

function insideOf(workingDirectory: string, absolute: string, fold: (name: string) => string): string | undefined {
  if (!workingDirectory.startsWith('/')) return undefined;
  const [root, names] = [normalise(workingDirectory), absolute].map((path) =>
    path
      .split('/')
      .slice(1)
      .filter((name) => name !== ''),
  );
  if (root === undefined || names === undefined || root.length > names.length) return undefined;
  if (root.some((name, index) => fold(name) !== fold(names[index] as string))) return undefined;
  return names.length === root.length ? '.' : names.slice(root.length).join('/');
}

function normalise(path: string): string {
  const isAbsolute = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    // The parent of the root is the root, so this ".." is dropped. A ".." at the start of a relative path is kept.
    else if (!isAbsolute) kept.push(segment);
  }
  if (isAbsolute) return `/${kept.join('/')}`;
  return kept.length === 0 ? '.' : kept.join('/');
}
