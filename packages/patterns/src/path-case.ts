/** How paths are compared. */
export type PathOptions = {
  /** Whether case is ignored. Different encodings of one character, which a file system treats as equal, then match too. @default false */
  ignoreCase?: boolean;
};

/**
 * Whether paths are compared without regard to case on a platform. The platform has the name that Node gives it. By default, the file
 * systems of macOS and Windows ignore case. Testing the file system itself was rejected, because a pattern may be for files on several file
 * systems, and for files that do not exist yet. If the file system does distinguish case, patterns match too much, which is the safer
 * mistake for a guard.
 */
export function ignoresCase(platform: string): boolean {
  return platform === 'darwin' || platform === 'win32';
}

/**
 * Returns a text that is equal for all names that a file system without case treats as the same name. "ß" becomes "ss", an accent becomes a
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
