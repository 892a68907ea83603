import { eastAsianWidth } from 'get-east-asian-width';

const emoji = /\p{Emoji_Presentation}/u;
const invisible = /[\p{Mn}\p{Me}]/u;

/**
 * Returns the number of terminal columns of a text that `escapeForTerminal` has escaped. Counts each character alone, because joining
 * characters are escaped.
 *
 * Packages were rejected. `string-width` measures a whole text, and does not find the place where to cut it. It also creates a segmenter at
 * every start. `wrap-ansi` and `cli-truncate` do not support an ellipsis in the last line.
 */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += countCharacterColumns(character);
  return columns;
}

export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - countColumns(text)));
}

/** Joins groups of lines with a blank line between them. Empty groups are left out. */
export function joinParagraphs(paragraphs: readonly (readonly string[])[]): string {
  const shown = paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** Cuts a text to this many columns, with an ellipsis if something is missing. */
export function fitTo(text: string, columns: number): string {
  return countColumns(text) <= columns ? text : `${takeColumns(text, columns - 1).trimEnd()}…`;
}

/**
 * Breaks a text into lines at blanks. A word is broken only if it is longer than a line. If there is more text, the last line ends with an
 * ellipsis.
 */
export function wrapTo(text: string, columns: number, maxLines: number): string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    if (countColumns(rest) <= columns || lines.length === maxLines - 1) return [...lines, fitTo(rest, columns)];
    const line = firstLine(rest, columns);
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}

function firstLine(text: string, columns: number): string {
  const taken = takeColumns(text, columns);
  const lastSpace = text[taken.length] === ' ' ? taken.length : taken.lastIndexOf(' ');
  return lastSpace > 0 ? taken.slice(0, lastSpace) : taken;
}

function takeColumns(text: string, columns: number): string {
  let taken = '';
  let used = 0;
  for (const character of text) {
    used += countCharacterColumns(character);
    // At least one character is taken, even if it is too wide. Callers continue with the rest, so otherwise they would loop forever.
    if (used > columns && taken !== '') break;
    taken += character;
  }
  return taken;
}

function countCharacterColumns(character: string): number {
  if (invisible.test(character)) return 0;
  // A flag is two characters. The Unicode tables call both narrow, but terminals draw the flag as a wide emoji.
  return emoji.test(character) ? 2 : eastAsianWidth(character.codePointAt(0) as number);
}
