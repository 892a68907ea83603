/**
 * A path as an absolute one, without `.` and `..`, as the machine of `cwd` reads it; text only, because a dialect touches no node: module. What
 * cannot be told stays as it is: an empty path, and any where `cwd` is not absolute.
 * The folder decides what a separator is, and not the path: on POSIX `C:/../../etc/passwd` leads to `/etc/passwd`, and a guard has to see it.
 */
export function absolutePath(path: string, cwd: string): string {
  if (path === '') return path;
  if (cwd.startsWith('/')) return `/${walked([...(path.startsWith('/') ? [] : cwd.split('/')), ...path.split('/')]).join('/')}`;
  const from = windowsParts(cwd);
  if (from.root === '' || !from.isRooted) return path;
  const { root, isRooted, names } = windowsParts(path);
  const isElsewhere = root !== '' && root.toLowerCase() !== from.root.toLowerCase();
  const all = isRooted || isElsewhere ? names : [...from.names, ...names];
  return `${root === '' ? from.root : root}\\${walked(all).join('\\')}`;
}

/** `C:` or `\\server\share`, whether the path begins there, and the names behind it. */
function windowsParts(path: string): { root: string; isRooted: boolean; names: string[] } {
  const [share, server, name] = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/.exec(path) ?? [];
  const [drive] = /^[A-Za-z]:/.exec(path) ?? [];
  const root = share === undefined ? (drive ?? '') : `\\\\${server}\\${name}`;
  const rest = path.slice((share ?? drive ?? '').length);
  return { root, isRooted: share !== undefined || /^[\\/]/.test(rest), names: rest.split(/[\\/]/) };
}

function walked(names: readonly string[]): string[] {
  const path: string[] = [];
  for (const name of names) {
    if (name === '..') path.pop();
    else if (name !== '' && name !== '.') path.push(name);
  }
  return path;
}
