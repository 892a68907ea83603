import { compileWildcard } from '@tenterhook/patterns';

/** The maximum number of texts in a list. Matchers written by hand need fewer. */
const maxTexts = 100;

/** Mark the beginning and the end of a name while a pattern is parsed. Names do not contain these characters. */
const begin = '\u0002';
const end = '\u0003';

interface Reading {
  readonly source: string;
  at: number;
}

/**
 * Converts a regular expression such as `^(read|write)_file$` into a list of texts in which `*` matches any text: `read_file`,
 * `write_file`. Returns undefined if no such list matches the same names. With `wholeMatch` the expression must match the whole
 * name, otherwise a part.
 */
export function globsOf(source: string, wholeMatch: boolean): readonly string[] | undefined {
  const reading: Reading = { source, at: 0 };
  const texts = alternatives(reading);
  if (texts === undefined || reading.at < source.length) return undefined;
  const globs = texts.map((text) => globOf(text, wholeMatch));
  return globs.every((glob) => glob !== undefined) ? [...new Set(globs)] : undefined;
}

function globOf(text: string, wholeMatch: boolean): string | undefined {
  const isBegun = text.startsWith(begin);
  const isEnded = text.endsWith(end);
  const inner = text.slice(isBegun ? 1 : 0, isEnded ? -1 : undefined);
  if (inner.includes(begin) || inner.includes(end)) return undefined;
  const [before, after] = [isBegun || wholeMatch ? '' : '*', isEnded || wholeMatch ? '' : '*'];
  return `${before}${inner}${after}`.replace(/\*+/g, '*');
}

function alternatives(reading: Reading): string[] | undefined {
  const all: string[] = [];
  for (;;) {
    const texts = sequence(reading);
    if (texts === undefined || all.length + texts.length > maxTexts) return undefined;
    all.push(...texts);
    if (reading.source[reading.at] !== '|') return all;
    reading.at += 1;
  }
}

function sequence(reading: Reading): string[] | undefined {
  let texts = [''];
  while (reading.at < reading.source.length && !'|)'.includes(reading.source[reading.at] as string)) {
    const next = piece(reading);
    if (next === undefined || texts.length * next.length > maxTexts) return undefined;
    texts = texts.flatMap((text) => next.map((more) => text + more));
  }
  return texts;
}

function piece(reading: Reading): string[] | undefined {
  const character = reading.source[reading.at] as string;
  reading.at += 1;
  switch (character) {
    case '^':
      return [begin];
    case '$':
      return [end];
    case '(':
      return group(reading);
    case '.':
      return anyText(reading);
    case '\\':
      return escaped(reading);
    default:
      return '[]{}*+?'.includes(character) ? undefined : optional([character], reading);
  }
}

function group(reading: Reading): string[] | undefined {
  if (reading.source.startsWith('?:', reading.at)) reading.at += 2;
  const texts = alternatives(reading);
  if (texts === undefined || reading.source[reading.at] !== ')') return undefined;
  reading.at += 1;
  return optional(texts, reading);
}

/** Reads the quantifier after `.`. Only `.*` and `.+` become a `*`. */
function anyText(reading: Reading): string[] | undefined {
  if (!'*+'.includes(reading.source[reading.at] ?? ' ')) return undefined;
  reading.at += 1;
  if (reading.source[reading.at] === '?') reading.at += 1;
  return ['*'];
}

/**
 * Reads a character after a backslash. Returns undefined for classes, boundaries (`\w`, `\b`) and a literal `*`, which a list of
 * texts cannot express.
 */
function escaped(reading: Reading): string[] | undefined {
  const character = reading.source[reading.at];
  if (character === undefined || /[A-Za-z0-9*]/.test(character)) return undefined;
  reading.at += 1;
  return optional([character], reading);
}

function optional(texts: string[], reading: Reading): string[] | undefined {
  const next = reading.source[reading.at] ?? ' ';
  if ('*+{'.includes(next)) return undefined;
  if (next !== '?') return texts;
  reading.at += 1;
  if (reading.source[reading.at] === '?') reading.at += 1;
  return [...texts, ''];
}

export function hasStar(glob: string): boolean {
  return glob.includes('*');
}

/** Converts a text in which `*` matches any text into the source of a regular expression, without `^` and `$`. */
export function regexOfGlob(glob: string): string {
  return glob
    .split('*')
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');
}

/** Returns the names that a text with `*` matches. `compileWildcard` also treats `?` as special, but no text contains `?`. */
export function fitting(glob: string, names: readonly string[]): readonly string[] {
  return names.filter(compileWildcard(glob));
}

/** Removes the `*` at both ends: `*read*` becomes `read`. */
export function coreOf(glob: string): string {
  return glob.replace(/^\*|\*$/g, '');
}
