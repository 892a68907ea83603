import { type PatternError, quotePiece } from './pattern-error.js';

/** `source` is the class in the syntax of RE2. `end` is the index of the closing bracket in the glob. */
type ClassRead = { source: string; end: number };

type Member = { point: number; next: number };

const SLASH = 0x2f;

/** A class that matches no character. RE2 has no empty class, so this class excludes all code points. */
const MATCHES_NOTHING = '[^\\x{0}-\\x{10FFFF}]';

/**
 * Reads the bracket expression that opens at `start`, and writes it for RE2. Its members are written as code points, because some
 * have a special meaning in RE2, e.g. in "[&&]" or "[\d]". A class must not match '/', so '/' is removed from ranges such as
 * "[+-9]".
 */
export function readClass(pattern: string, characters: string[], start: number): ClassRead | PatternError {
  const isNegated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = isNegated ? start + 2 : start + 1;
  const ranges: string[] = [];
  let index = first;
  // As in every shell, a "]" in the first position is a member of the class, e.g. in "[]]".
  while (characters[index] !== ']' || index === first) {
    if (characters[index] === '[' && characters[index + 1] === ':') return namedClass(pattern);
    const from = readMember(characters, index);
    if (!from) return unclosed(pattern);
    index = from.next;
    let to = from;
    if (characters[index] === '-' && characters[index + 1] !== ']') {
      const upper = readMember(characters, index + 1);
      if (!upper) return unclosed(pattern);
      if (upper.point < from.point) return reversed(pattern, from.point, upper.point);
      index = upper.next;
      to = upper;
    }
    ranges.push(...withoutSlash(from.point, to.point));
  }
  if (isNegated) return { source: `[^/${ranges.join('')}]`, end: index };
  return { source: ranges.length === 0 ? MATCHES_NOTHING : `[${ranges.join('')}]`, end: index };
}

export function isClassError(read: ClassRead | PatternError): read is PatternError {
  return 'message' in read;
}

function readMember(characters: string[], index: number): Member | undefined {
  const at = characters[index] === '\\' ? index + 1 : index;
  const point = characters[at]?.codePointAt(0);
  return point === undefined ? undefined : { point, next: at + 1 };
}

function withoutSlash(from: number, to: number): string[] {
  if (from > SLASH || to < SLASH) return [range(from, to)];
  const below = from < SLASH ? [range(from, SLASH - 1)] : [];
  return to > SLASH ? [...below, range(SLASH + 1, to)] : below;
}

function range(from: number, to: number): string {
  return `\\x{${from.toString(16)}}-\\x{${to.toString(16)}}`;
}

function unclosed(pattern: string): PatternError {
  return {
    message: `${quotePiece(pattern)} has a "[" that is not closed`,
    remedy: 'Close the "[", as in "[a-z]", or write "\\[" for the character.',
  };
}

function reversed(pattern: string, from: number, to: number): PatternError {
  const [low, high] = [String.fromCodePoint(to), String.fromCodePoint(from)];
  return {
    message: `${quotePiece(pattern)} has the range ${quotePiece(`${high}-${low}`)}, which ends before it begins`,
    remedy: `Write ${quotePiece(`${low}-${high}`)}.`,
  };
}

function namedClass(pattern: string): PatternError {
  return {
    message: `${quotePiece(pattern)} has a "[:" inside a class, but named classes are not supported`,
    remedy: 'Write the characters, as in "[a-zA-Z0-9]", or "\\[:" for the two characters.',
  };
}
