import { escapeUnseen } from '@tenterhook/runtime/text';
import { escapeCharacter } from './escape.js';
import type { Paint, Style } from './palette.js';
import { countColumns } from './text-layout.js';

/** A part of a text: unchanged characters, or a sign that replaces one or more characters. */
interface Piece {
  readonly text: string;
  readonly isSign: boolean;
}

/** What signs have replaced in a text. */
export interface Hidden {
  /** The number of characters that a terminal interprets or a reader cannot see. */
  unseen: number;
  /**
   * The number of long runs of blanks. A long run could move the text after it out of sight. `longestRun` is the length of the longest one.
   */
  runs: number;
  longestRun: number;
  /** Characters that are not ASCII, with their number. Some look like other characters. */
  readonly foreign: Map<string, number>;
}

/** Options of `writeOut`. */
export interface WriteOutOptions {
  /** The number of columns. */
  readonly width: number;
  readonly paint: Paint;
  readonly look?: Style;
  /** Counts the replaced characters. */
  readonly hidden?: Hidden;
  /**
   * Whether the text is a line of a file. Letters of other languages, tabs (as blanks) and longer runs of blanks are then shown unchanged,
   * because comments and indentation have them. @default false
   */
  readonly isFile?: boolean;
}

/** The number of consecutive blanks that are shown unchanged, in a command and in a file. */
const maxBlanks = { command: 8, file: 80 };

export function nothingHidden(): Hidden {
  return { unseen: 0, runs: 0, longestRun: 0, foreign: new Map() };
}

/**
 * Writes a text in full, for a person who decides about it, as lines of at most `width` columns. What could hide something is replaced by
 * a sign:
 * - an invisible or non-ASCII character by its escape;
 * - a long run of blanks by its number.
 *
 * Signs have another style than the text, so that the text cannot imitate a sign. `hidden` counts the replaced characters.
 */
export function writeOut(
  text: string,
  { width, paint, look = 'plain', hidden = nothingHidden(), isFile = false }: WriteOutOptions,
): string[] {
  const shown = isFile ? text.replaceAll('\t', '    ') : text;
  return shown.split('\n').flatMap((line) => layOut(piecesOf(line, hidden, isFile), width).map((pieces) => paintAll(pieces, paint, look)));
}

/** Returns sentences about the replaced characters. */
export function describeHidden({ unseen, runs, longestRun, foreign }: Hidden): string[] {
  const count = [...foreign.values()].reduce((sum, number) => sum + number, 0);
  const names = [...foreign.keys()].slice(0, maxNamed).map((character) => `${character} ${codePoint(character)}`);
  const more = foreign.size - names.length;
  return [
    ...(unseen === 0
      ? []
      : [
          `${counted(unseen, 'character')} that cannot be seen. ${unseen === 1 ? 'It is' : 'They are'} written as \\x1b, \\u202e and so on.`,
        ]),
    ...(runs === 0
      ? []
      : [`${counted(runs, 'long run')} of blanks, the longest of ${longestRun}. What follows may be out of sight in an editor.`]),
    ...(count === 0
      ? []
      : [
          `${counted(count, 'character')} that ${count === 1 ? 'is' : 'are'} not ASCII: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Some look like other letters.`,
        ]),
  ];
}

/** The maximum number of characters that are named. */
const maxNamed = 12;

function piecesOf(line: string, hidden: Hidden, isFile: boolean): Piece[] {
  const longest = isFile ? maxBlanks.file : maxBlanks.command;
  const pieces: Piece[] = [];
  for (const [part, blanks] of line.matchAll(/( +)|./gsu)) {
    if (blanks !== undefined && blanks.length > longest) {
      hidden.runs += 1;
      hidden.longestRun = Math.max(hidden.longestRun, blanks.length);
      pieces.push({ text: `<${blanks.length} blanks>`, isSign: true });
    } else if (escapeUnseen(part) !== part) {
      hidden.unseen += 1;
      pieces.push({ text: escapeCharacter(part), isSign: true });
    } else if ((part.codePointAt(0) as number) > 0x7e) {
      hidden.foreign.set(part, (hidden.foreign.get(part) ?? 0) + 1);
      pieces.push({ text: isFile ? part : escapeCharacter(part), isSign: !isFile });
    } else pieces.push(...[...part].map((text) => ({ text, isSign: false })));
  }
  return pieces;
}

/** Breaks pieces into lines, after a blank if possible. A blank stays at the end of its line. */
function layOut(pieces: readonly Piece[], width: number): Piece[][] {
  const lines: Piece[][] = [];
  let line: Piece[] = [];
  let columns = 0;
  for (const piece of pieces) {
    const wide = countColumns(piece.text);
    if (columns + wide > width && line.length > 0) {
      const last = line.findLastIndex(({ text, isSign }) => text === ' ' && !isSign);
      const rest = last > line.length / 2 ? line.splice(last + 1) : [];
      lines.push(line);
      line = rest;
      columns = rest.reduce((sum, { text }) => sum + countColumns(text), 0);
    }
    line.push(piece);
    columns += wide;
  }
  return [...lines, line];
}

function paintAll(pieces: readonly Piece[], paint: Paint, look: Style): string {
  let [shown, group, isSign] = ['', '', false];
  for (const piece of [...pieces, { text: '', isSign: false }]) {
    if (piece.isSign !== isSign) {
      shown += paint(isSign ? 'yellow' : look, group);
      [group, isSign] = ['', piece.isSign];
    }
    group += piece.text;
  }
  return shown + paint(look, group);
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
