// Paths are handled as text here, because dialects import no `node:` module.

/** `folder` is absolute, `file` relative to it. */
export function join(folder: string, file: string): string {
  return folder.endsWith('/') ? `${folder}${file}` : `${folder}/${file}`;
}

/** Returns the folder that contains a file or a folder; undefined for a root. */
export function parentOf(path: string): string | undefined {
  const parent = path.replace(/[\\/]+[^\\/]+[\\/]*$/, '');
  return parent === path || parent === '' ? undefined : parent;
}

export function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

export function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/**
 * Returns the project that owns a settings file, if the file's place determines it. `settingsFile` is relative to a project
 * (`.llxprt/settings.json`). The home directory is treated as a project.
 */
export function claimedByPlace(file: string, settingsFile: string): { readonly projectDir: string } | undefined {
  const path = withSlashes(file);
  if (path === settingsFile) return { projectDir: '.' };
  return path.endsWith(`/${settingsFile}`) ? { projectDir: file.slice(0, -settingsFile.length - 1) || '/' } : undefined;
}

/**
 * Returns a path as an absolute one without `.` and `..`, as the machine of `cwd` would resolve it. An empty path is returned unchanged,
 * and so is every path if `cwd` is not absolute. Which characters are separators depends on `cwd`, not on the path: with a POSIX `cwd`,
 * `C:/../../etc/passwd` may be `/etc/passwd`, and a guard must see that.
 */
export function absolutePath(path: string, cwd: string): string {
  if (path === '') return path;
  if (cwd.startsWith('/')) return `/${resolveNames([...(path.startsWith('/') ? [] : cwd.split('/')), ...path.split('/')]).join('/')}`;
  const from = windowsParts(cwd);
  if (from.root === '' || !from.isRooted) return path;
  const { root, isRooted, names } = windowsParts(path);
  const isElsewhere = root !== '' && root.toLowerCase() !== from.root.toLowerCase();
  const all = isRooted || isElsewhere ? names : [...from.names, ...names];
  return `${root === '' ? from.root : root}\\${resolveNames(all).join('\\')}`;
}

/**
 * Splits a Windows path. `root` is `C:` or `\\server\share`, `isRooted` is true if the path starts at the root, and `names` are the names
 * after it.
 */
function windowsParts(path: string): { root: string; isRooted: boolean; names: string[] } {
  const [share, server, name] = /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/.exec(path) ?? [];
  const [drive] = /^[A-Za-z]:/.exec(path) ?? [];
  const root = share === undefined ? (drive ?? '') : `\\\\${server}\\${name}`;
  const rest = path.slice((share ?? drive ?? '').length);
  return { root, isRooted: share !== undefined || /^[\\/]/.test(rest), names: rest.split(/[\\/]/) };
}

function resolveNames(names: readonly string[]): string[] {
  const path: string[] = [];
  for (const name of names) {
    if (name === '..') path.pop();
    else if (name !== '' && name !== '.') path.push(name);
  }
  return path;
}
