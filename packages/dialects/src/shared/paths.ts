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
