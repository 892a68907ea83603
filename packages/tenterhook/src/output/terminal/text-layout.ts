import { eastAsianWidth } from 'get-east-asian-width';

const emoji = /\p{Emoji_Presentation}/u;
const invisible = /[\p{Mn}\p{Me}]/u;

/**
 * The columns that a terminal gives to a text that `escapeForTerminal` has passed. `string-width` measures whole clusters, which a text cannot
 * be cut by, and costs a segmenter at every start; joiners are escaped here, so that characters are enough. `wrap-ansi` and `cli-truncate`
 * know no last line with an ellipsis.
 */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += countCharacterColumns(character);
  return columns;
}

export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - countColumns(text)));
}

/** Groups of lines with a blank line between them; empty groups are left out. */
export function joinParagraphs(paragraphs: readonly (readonly string[])[]): string {
  const shown = paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** Cut to this many columns, with an ellipsis if something is missing. */
export function fitTo(text: string, columns: number): string {
  return countColumns(text) <= columns ? text : `${takeColumns(text, columns - 1).trimEnd()}…`;
}

/** Broken at spaces, and inside a word only if it is longer than a line; an ellipsis ends the last line when there is more. */
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
    // At least one character, or callers that continue with the rest would never end.
    if (used > columns && taken !== '') break;
    taken += character;
  }
  return taken;
}

function countCharacterColumns(character: string): number {
  if (invisible.test(character)) return 0;
  // Half of a flag is narrow in the Unicode tables, and drawn as an emoji.
  return emoji.test(character) ? 2 : eastAsianWidth(character.codePointAt(0) as number);
}
