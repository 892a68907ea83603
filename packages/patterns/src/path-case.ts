/** How paths are compared. */
export type PathOptions = {
  /**
   * Whether case is ignored. If true, different encodings of one character match too, e.g. "é" as one or as two code points. @default false
   */
  ignoreCase?: boolean;
};

/**
 * Whether the file systems of a platform usually ignore case. `platform` is the name that Node gives it. Testing the file system itself was
 * rejected, because a pattern may be for several file systems, and for files that do not exist yet. On a case-sensitive file system,
 * patterns then match too much. This is the safer mistake for a guard.
 */
export function ignoresCase(platform: string): boolean {
  return platform === 'darwin' || platform === 'win32';
}

/**
 * Converts a name. All names that a case-insensitive file system treats as equal become the same text. "ß" becomes "ss", and an accent
 * becomes a separate character. Characters that are not displayed are left out, as on HFS+.
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
