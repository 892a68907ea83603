/** Paths as text, because a dialect touches no node: module. They are absolute, with the separators of the machine. */
export function join(folder: string, file: string): string {
  return folder.endsWith('/') ? `${folder}${file}` : `${folder}/${file}`;
}

/** The folder that holds a file or a folder; undefined for a root. */
export function parentOf(path: string): string | undefined {
  const parent = path.replace(/[\\/]+[^\\/]+[\\/]*$/, '');
  return parent === path || parent === '' ? undefined : parent;
}

export function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

/**
 * Whose a file is whose place tells: `settingsFile` is relative to a project (`.llxprt/settings.json`), which is the one that holds it. A folder
 * of the same name that is no project, the home directory, is its own project.
 */
export function claimedByPlace(file: string, settingsFile: string): { readonly projectDir: string } | undefined {
  const path = withSlashes(file);
  if (path === settingsFile) return { projectDir: '.' };
  return path.endsWith(`/${settingsFile}`) ? { projectDir: file.slice(0, -settingsFile.length - 1) || '/' } : undefined;
}

export function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

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
