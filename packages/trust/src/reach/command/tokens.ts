/** The maximum length of a text in which paths are searched. */
export const maxWord = 100_000;

/**
 * Returns every part of a word that may be a path: the word itself, what follows `=`, `@` or a short option, and the parts between blanks,
 * quotes and punctuation, because a word may be a program of another language (`awk`, `sed`, `ssh`).
 */
export function tokensOf(word: string): string[] {
  const text = word.slice(0, maxWord);
  const parts = new Set([text, text.replace(/^-{1,2}[\w-]*=/, ''), text.replace(/^-[A-Za-z]/, ''), text.replace(/^@/, '')]);
  for (const part of text.split(/[\s"'`;|&<>(){}[\],:=@$!*?\\]+/)) {
    parts.add(part);
    parts.add(part.replace(/^-[A-Za-z]/, ''));
  }
  return [...parts].filter((part) => part !== '' && part !== '.' && part !== '/' && !part.includes('\0'));
}

/** Tests whether a whole word can only be meant as a path, so that a missing file counts too. */
export function isPath(word: string): boolean {
  return word.length < 1_000 && /^(?:\.{1,2}\/|\/|(?!-)[\w.@+-]+\/)[\w.@+~, -][\w./@+~, -]*$/.test(word) && !/\/{2}/.test(word);
}

/** What follows `=` in an option or assignment, or the word itself. */
export function assignedIn(word: string): string {
  return /^(?:-{1,2})?[A-Za-z_][\w-]*=(.*)$/s.exec(word)?.[1] ?? word;
}
