import { escapeUnseen } from '@tenterhook/runtime/text';

/** Between two of these marks is an escape. A zero byte never remains in a text, because it is escaped itself. */
const mark = '\0';

/** A piece of a text: what was printed, or the escape of a character that is not visible. */
export interface VisiblePiece {
  readonly text: string;
  readonly isEscape: boolean;
}

/**
 * Splits a text into what can be shown and escapes of what cannot: control, bidi and invisible characters. Line breaks and tabs are kept,
 * unless `isOneLine`. Escapes are pieces of their own, so that a hook cannot imitate one.
 */
export function visiblePieces(text: string, isOneLine = false): VisiblePiece[] {
  const marked = escapeUnseen(text, (character) =>
    !isOneLine && (character === '\n' || character === '\t') ? character : `${mark}${escapeOf(character)}${mark}`,
  );
  return marked
    .split(mark)
    .map((piece, index) => ({ text: piece, isEscape: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** Returns a text of one line in which everything is visible. For attributes such as `title`, which cannot contain elements. */
export function visibleLine(text: string, longest = 200): string {
  const cut = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return escapeUnseen(cut, escapeOf);
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The same escapes as on the terminal. */
function escapeOf(character: string): string {
  const code = character.codePointAt(0) as number;
  const hex = (digits: number) => code.toString(16).padStart(digits, '0');
  return short[character] ?? (code < 0x100 ? `\\x${hex(2)}` : code < 0x10000 ? `\\u${hex(4)}` : `\\u{${hex(5)}}`);
}
