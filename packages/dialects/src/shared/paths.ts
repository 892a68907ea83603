// Paths are handled as text, because dialects import no `node:` module.

/** Joins two paths. `folder` is absolute, and `file` is relative to it. */
export function join(folder: string, file: string): string {
  return folder.endsWith('/') ? `${folder}${file}` : `${folder}/${file}`;
}

/** Returns the folder that contains a file or a folder, or undefined for a root. */
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
 * Returns the project that a settings file belongs to, or undefined if the path does not end with `settingsFile`, e.g.
 * `.llxprt/settings.json`. The home directory counts as a project.
 */
export function claimedByPlace(file: string, settingsFile: string): { readonly projectDir: string } | undefined {
  const path = withSlashes(file);
  if (path === settingsFile) return { projectDir: '.' };
  return path.endsWith(`/${settingsFile}`) ? { projectDir: file.slice(0, -settingsFile.length - 1) || '/' } : undefined;
}

/** Returns a path with a leading `~` replaced by the home directory. Without a home directory (`''`), returns the path unchanged. */
export function expandHome(path: string, home: string): string {
  const isOfHome = home.startsWith('/') ? /^~(?:$|\/)/ : /^~(?:$|[\\/])/;
  return home !== '' && isOfHome.test(path) ? `${home}${path.slice(1)}` : path;
}

/**
 * Returns an absolute path without `.` and `..`, as the machine of `cwd` would resolve it. If the path is empty or `cwd` is not
 * absolute, returns the path unchanged. `cwd` decides which characters are separators. On a POSIX machine `C:/../../etc/passwd` may
 * be `/etc/passwd`, and a guard must find that.
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

/** Splits a Windows path into its root (`C:` or `\\server\share`) and names. `isRooted` is true if the path starts at the root. */
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
