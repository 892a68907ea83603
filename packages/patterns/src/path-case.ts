/** How paths are compared. */
export type PathOptions = {
  /** Whether upper and lower case match each other, and the different ways in which a file system encodes one character. @default false */
  ignoreCase?: boolean;
};

/**
 * Whether paths are compared without regard to case on a platform, which has the name that Node gives it. By default, the file systems of
 * macOS and Windows ignore case. Testing the file system was rejected: a pattern may be about files on several file systems, and about
 * files that do not exist yet. On a file system that distinguishes case, patterns then match too much, which is the safer mistake for a
 * guard.
 */
export function ignoresCase(platform: string): boolean {
  return platform === 'darwin' || platform === 'win32';
}

/**
 * A text that is equal for all names that a file system without case takes for the same name. "ß" becomes "ss", an accent becomes a
 * separate character, and characters that are not displayed are left out, as on HFS+.
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
