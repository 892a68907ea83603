import { foldCase, isAscii, type PathOptions } from './path-case.js';
import { isClassError, readClass } from './path-glob-class.js';
import { type Compiled, type PatternError, quotePiece, refuseTooLong } from './pattern-error.js';
import { compileLinear } from './regex.js';

const INSIDE_SEGMENT = '[^/]*';
const ACROSS_SEGMENTS = '[\\s\\S]*';
const WHOLE_SEGMENTS = '(?:[\\s\\S]*/)?';
const EVERYTHING_BELOW = '(?:/[\\s\\S]*)?';

/** The maximum depth of nested braces. The parser of the regular expression engine is recursive and could overflow the stack. */
const MAX_BRACE_DEPTH = 20;

/**
 * A brace such as `{a,b/**}` whose closing brace was not reached yet. `tails` lists the translated parts that end an alternative
 * with `/**`, by index. If nothing follows the closing brace, these parts are translated again.
 */
type Brace = { startsAtSegment: boolean; endsAtSegment: boolean; tails: number[] };

/**
 * Compiles a path glob (decision 43) to an expression of re2js.
 * - `*` matches inside a segment, `**` across segments, `?` one character except '/'.
 * - `[a-z]` is a class, which never matches '/'. `[!…]` and `[^…]` negate it.
 * - `{a,b}` are alternatives, which may be nested.
 * - `\` takes the next character literally.
 *
 * The whole text must match, case-sensitively unless `ignoreCase` is set. A leading dot is an ordinary character. A pattern without
 * '/' is compared with the base name of the path, at any depth. "src/**" matches "src" too: a guard that matches too much is safer
 * than one that matches too little.
 *
 * `test` takes one path as text. `pathVariants` returns the texts to test for a path. Never throws: for a malformed pattern, or one
 * longer than 10,000 characters, the result is an error value.
 */
export function compilePathGlob(pattern: string, { ignoreCase = false }: PathOptions = {}): Compiled {
  const tooLong = refuseTooLong(pattern);
  if (tooLong) return tooLong;
  const tests: ((text: string) => boolean)[] = [];
  for (const literal of ignoreCase ? [asWritten, foldCase] : [asWritten]) {
    const source = translate(pattern, literal);
    if (typeof source !== 'string') return { ok: false, error: source };
    const compiled = compileLinear(source, pattern, { wholeMatch: true, ignoreCase });
    if (!compiled.ok) return compiled;
    tests.push(compiled.test);
    // For an ASCII pattern, case folding changes only the case. So one expression is enough.
    if (isAscii(pattern)) break;
  }
  const test = (text: string) => tests.some((fits) => fits(text));
  const isBaseName = !pattern.includes('/');
  return {
    ok: true,
    test: (path) => {
      const text = isBaseName ? baseName(path) : path;
      return test(text) || (ignoreCase && !isAscii(text) && [text.normalize('NFC'), foldCase(text)].some(test));
    },
  };
}

function asWritten(text: string): string {
  return text;
}

/**
 * Translates a glob in one pass, with a stack of open braces. Expanding the braces first, as glob libraries do, was rejected:
 * thirty times "{a,b}" becomes 2^30 patterns. `literal` converts characters without a special meaning.
 */
function translate(pattern: string, literal: (character: string) => string): string | PatternError {
  const characters = Array.from(pattern);
  const parts: string[] = [];
  const braces: Brace[] = [];
  let atSegmentStart = true;
  let tails: number[] = [];

  for (let index = 0; index < characters.length; index++) {
    const character = characters[index] ?? '';
    const brace = braces.at(-1);
    if (brace && (character === ',' || character === '}')) {
      brace.endsAtSegment &&= atSegmentStart;
      brace.tails.push(...tails);
      parts.push(character === ',' ? '|' : ')');
      atSegmentStart = character === ',' ? brace.startsAtSegment : brace.endsAtSegment;
      tails = character === ',' ? [] : brace.tails;
      if (character === '}') braces.pop();
      continue;
    }
    tails = [];
    if (character === '{') {
      if (braces.length === MAX_BRACE_DEPTH) return nestedTooDeep(pattern);
      braces.push({ startsAtSegment: atSegmentStart, endsAtSegment: true, tails: [] });
      parts.push('(?:');
      continue;
    }
    if (character === '*' && characters[index + 1] === '*') {
      while (characters[index + 1] === '*') index++;
      if (atSegmentStart && characters[index + 1] === '/') {
        index++;
        parts.push(WHOLE_SEGMENTS);
        continue;
      }
      if (parts.length > 1 && parts.at(-1) === '/') tails = [parts.length - 1];
      parts.push(ACROSS_SEGMENTS);
    } else if (character === '[') {
      const read = readClass(pattern, characters, index);
      if (isClassError(read)) return read;
      parts.push(read.source);
      index = read.end;
    } else if (character === '\\') {
      const escaped = characters[++index];
      if (escaped === undefined) return endsWithBackslash(pattern);
      parts.push(quoteLiteral(literal(escaped)));
    } else {
      parts.push(character === '*' ? INSIDE_SEGMENT : character === '?' ? '[^/]' : quoteLiteral(literal(character)));
    }
    atSegmentStart = parts.at(-1) === '/';
  }

  if (braces.length > 0) return unclosedBrace(pattern);
  for (const slash of tails) parts.splice(slash, 2, EVERYTHING_BELOW, '');
  return parts.join('');
}

function quoteLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Returns the last segment of a path, as basename(1) does: ".env" for "a/.env/". */
function baseName(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

function nestedTooDeep(pattern: string): PatternError {
  return { message: `${quotePiece(pattern)} nests "{" more than ${MAX_BRACE_DEPTH} levels deep`, remedy: 'Write several patterns.' };
}

function endsWithBackslash(pattern: string): PatternError {
  return { message: `${quotePiece(pattern)} ends with a backslash that escapes nothing`, remedy: 'Write "\\\\" for a backslash.' };
}

function unclosedBrace(pattern: string): PatternError {
  return {
    message: `${quotePiece(pattern)} has a "{" that is not closed`,
    remedy: 'Close the "{", as in "*.{ts,js}", or write "\\{" for the character.',
  };
}
