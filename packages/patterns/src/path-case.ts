export type PathOptions = {
  /**
   * Whether upper and lower case match. If true, different encodings of one character match too, e.g. "é" as one or as two code
   * points. @default false
   */
  ignoreCase?: boolean;
};

/**
 * Whether the file systems of a platform usually ignore case. `platform` is its name in Node, e.g. "win32". Testing
 * the file system itself was rejected: a pattern may be for several file systems, and for files that do not exist yet. The answer
 * is wrong for a case-sensitive file system on macOS or Windows. Patterns then match too much, which is the safer mistake for a
 * guard.
 */
export function ignoresCase(platform: string): boolean {
  return platform === 'darwin' || platform === 'win32';
}

/**
 * Converts names that a case-insensitive file system treats as equal to the same text. "ß" becomes "ss", and an accent becomes a
 * separate character. Characters that are not displayed are left out, as on HFS+.
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
