/**
 * The texts under which one path is tested (decision 43): as given, normalised, absolute, and relative to the working directory when it is
 * inside. Without duplicates, the one as given first; an empty path stays alone, because it names nothing.
 *
 * POSIX paths, by text alone: symbolic links are not followed, "~" is not expanded, and nothing is read from the disk. That a pattern can be
 * walked around through a link is the price of a planner without effects; a hook that guards something resolves links itself. Written by hand
 * and not taken from node:path, which this package must not import and which answers with Windows rules on Windows.
 *
 * A working directory that is not absolute cannot anchor anything: then only the first two are returned.
 */
export function pathVariants(path: string, workingDirectory: string): string[] {
  if (path === '') return [path];
  const variants = new Set([path, normalise(path)]);
  const absolute = toAbsolute(path, workingDirectory);
  if (absolute !== undefined) {
    variants.add(absolute);
    const relative = insideOf(workingDirectory, absolute);
    if (relative !== undefined) variants.add(relative);
  }
  return [...variants];
}

function toAbsolute(path: string, workingDirectory: string): string | undefined {
  if (path.startsWith('/')) return normalise(path);
  return workingDirectory.startsWith('/') ? normalise(`${workingDirectory}/${path}`) : undefined;
}

function insideOf(workingDirectory: string, absolute: string): string | undefined {
  if (!workingDirectory.startsWith('/')) return undefined;
  const root = normalise(workingDirectory);
  if (absolute === root) return '.';
  const prefix = root === '/' ? root : `${root}/`;
  return absolute.startsWith(prefix) ? absolute.slice(prefix.length) : undefined;
}

function normalise(path: string): string {
  const isAbsolute = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    // Above the root is the root; above the start of a relative path only the working directory knows.
    else if (!isAbsolute) kept.push(segment);
  }
  if (isAbsolute) return `/${kept.join('/')}`;
  return kept.length === 0 ? '.' : kept.join('/');
}
