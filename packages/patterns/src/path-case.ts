/** How paths are compared. */
export type PathOptions = {
  /** Upper and lower case are the same, and so are the ways in which a file system writes one character. @default false */
  ignoreCase?: boolean;
};

/**
 * Whether paths of a platform, under the name that Node has for it, are compared without regard to case: file systems of macOS and Windows ignore it, unless they
 * were made otherwise. Not found out by a probe: a pattern is about files of several file systems, and about files that do not exist yet. On a
 * file system that does not ignore case, patterns match too much, which is the safer mistake for a guard.
 */
export function ignoresCase(platform: string): boolean {
  return platform === 'darwin' || platform === 'win32';
}

/**
 * A text that is the same for all names that a file system which ignores case takes for one: "ß" is "ss", an accent is a character of its own,
 * and characters that are not displayed are left out, as HFS+ does it.
 */
export function foldCase(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase();
}

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
