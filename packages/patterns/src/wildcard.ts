const STAR = -1;
const ANY_ONE = -2;

/**
 * Compiles a glob that must match the whole text, case-sensitively. Only `*` (zero or more characters, including '/') and `?` (one
 * code point) are special. Unlike the other compilers it refuses no pattern, however long.
 *
 * For a text of n characters and a pattern of m, the worst case is O(n·m), because after a star a long literal may be compared at
 * many positions. It is not exponential: once a later star is reached, an earlier star is never tried again. A backtracking engine
 * was rejected (decision 43). re2js was rejected too: this code runs on every event for every hook, and starting an automaton takes
 * longer than matching a short tool name.
 */
export function compileWildcard(pattern: string): (text: string) => boolean {
  // Compared by code points: `?` must match a whole code point, and half of a surrogate pair in the pattern must not match half of
  // a code point in the text.
  if (pattern.includes('?') || /\p{Surrogate}/u.test(pattern)) {
    const tokens = tokenise(pattern);
    return (text) => matchesTokens(tokens, text);
  }
  const [first = '', ...pieces] = pattern.split(/\*+/);
  const last = pieces.pop();
  return last === undefined ? (text) => text === first : (text) => matchesPieces(first, pieces, last, text);
}

/**
 * Matches a pattern of literals and stars. Each literal is searched with `indexOf`, which is a hundred times faster than a loop
 * over characters.
 */
function matchesPieces(first: string, pieces: readonly string[], last: string, text: string): boolean {
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let position = first.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, position);
    if (found === -1 || found + piece.length > end) return false;
    position = found + piece.length;
  }
  return true;
}

function tokenise(pattern: string): number[] {
  const tokens: number[] = [];
  for (const character of pattern) {
    if (character !== '*') tokens.push(character === '?' ? ANY_ONE : codePointAt(character, 0));
    // Several stars in a row mean the same as one, so one is kept.
    else if (tokens.at(-1) !== STAR) tokens.push(STAR);
  }
  return tokens;
}

function matchesTokens(tokens: number[], text: string): boolean {
  let token = 0;
  let position = 0;
  let lastStar = -1;
  let resumeAt = 0;
  while (position < text.length) {
    const expected = tokens[token];
    if (expected === STAR) {
      lastStar = token++;
      resumeAt = position;
      continue;
    }
    const point = codePointAt(text, position);
    if (expected === ANY_ONE || expected === point) {
      token++;
      position += unitsOf(point);
    } else if (lastStar >= 0) {
      // Only the last star is extended. It can match everything that an extended earlier star would match.
      resumeAt += unitsOf(codePointAt(text, resumeAt));
      position = resumeAt;
      token = lastStar + 1;
    } else {
      return false;
    }
  }
  while (tokens[token] === STAR) token++;
  return token === tokens.length;
}

/** Returns the code point at a position. A lone surrogate counts as a code point, as in re2js. */
function codePointAt(text: string, position: number): number {
  return text.codePointAt(position) ?? 0;
}

function unitsOf(point: number): number {
  return point > 0xffff ? 2 : 1;
}
