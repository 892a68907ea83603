/** Where a text holds a JSON object, from its `{` to behind its `}`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What may come next in the innermost container that is open. */
type Expected = 'first name' | 'name' | 'colon' | 'first value' | 'value' | 'separator';

// Kinds of open containers; a byte for each, because a text may open one with every character.
const list = 0;
const object = 1;
const objectAtLineStart = 2;

/**
 * Tells every JSON object that starts a line, in order, the outer one of nested ones, in one pass over the text. An error of
 * grammar makes everything that is open no JSON, and only that: objects that were complete before it count, and so do those
 * that start at it or behind it. Reading token by token, and not matching braces first and parsing later, is what keeps it
 * linear without giving anything up: neither a depth nor a number of braces can hide an object.
 */
export function eachJsonObject(text: string, tell: (found: Span) => void): void {
  const open = new Uint8Array(text.length);
  let depth = 0;
  let expected: Expected = 'first name';
  /** Where the open objects of the kind `objectAtLineStart` start. */
  const starts: number[] = [];
  /** Complete objects inside one that is still open: they count if that one turns out to be none. */
  const insideStarts: number[] = [];
  const insideEnds: number[] = [];

  const giveUp = () => {
    for (const [place, start] of insideStarts.entries()) tell({ start, end: insideEnds[place] as number });
    insideStarts.length = insideEnds.length = starts.length = depth = 0;
  };
  const complete = (start: number, end: number) => {
    while (insideStarts.length > 0 && (insideStarts.at(-1) as number) > start) {
      insideStarts.pop();
      insideEnds.pop();
    }
    if (depth === 0) return tell({ start, end });
    insideStarts.push(start);
    insideEnds.push(end);
  };

  let atLineStart = true;
  for (let index = 0; index < text.length; ) {
    const char = text[index] as string;
    if (char === '\n' || char === '\r') atLineStart = true;
    if (char === '\n' || char === '\r' || char === ' ' || char === '\t') {
      index += 1;
      continue;
    }
    const startsObject = atLineStart && char === '{';
    const end = mayCome(char, expected, depth > 0 && open[depth - 1] !== list) ? tokenEnd(text, index) : undefined;
    if (depth > 0 && end === undefined) giveUp();
    if (depth === 0 && !startsObject) {
      index = lineEnd(text, index);
      continue;
    }
    atLineStart = false;
    switch (char) {
      case '{':
      case '[':
        if (startsObject) starts.push(index);
        open[depth] = startsObject ? objectAtLineStart : char === '{' ? object : list;
        depth += 1;
        expected = char === '{' ? 'first name' : 'first value';
        break;
      case '}':
      case ']':
        depth -= 1;
        expected = 'separator';
        if (open[depth] === objectAtLineStart) complete(starts.pop() as number, index + 1);
        break;
      case ',':
        expected = open[depth - 1] === list ? 'value' : 'name';
        break;
      case ':':
        expected = 'value';
        break;
      default:
        expected = expected === 'name' || expected === 'first name' ? 'colon' : 'separator';
    }
    index = end ?? index + 1;
  }
  giveUp();
}

function mayCome(char: string, expected: Expected, inObject: boolean): boolean {
  switch (char) {
    case '}':
      return inObject && (expected === 'first name' || expected === 'separator');
    case ']':
      return !inObject && (expected === 'first value' || expected === 'separator');
    case ',':
      return expected === 'separator';
    case ':':
      return expected === 'colon';
    case '"':
      return expected !== 'colon' && expected !== 'separator';
    default:
      return expected === 'value' || expected === 'first value';
  }
}

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escapedCharacter = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Behind the token that begins at `index`; undefined when none of JSON does. */
function tokenEnd(text: string, index: number): number | undefined {
  const char = text[index] as string;
  if ('{}[],:'.includes(char)) return index + 1;
  return char === '"' ? stringEnd(text, index) : matchEnd(scalar, text, index);
}

/** By hand: a regular expression that repeats a group needs a stack as long as the text. */
function stringEnd(text: string, from: number): number | undefined {
  for (let index = from + 1; index < text.length; ) {
    const char = text[index] as string;
    if (char === '"') return index + 1;
    if (char < ' ') return undefined;
    const next = char === '\\' ? matchEnd(escapedCharacter, text, index) : index + 1;
    if (next === undefined) return undefined;
    index = next;
  }
  return undefined;
}

function matchEnd(sticky: RegExp, text: string, index: number): number | undefined {
  sticky.lastIndex = index;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

function lineEnd(text: string, from: number): number {
  let index = from;
  while (index < text.length && text[index] !== '\n' && text[index] !== '\r') index += 1;
  return index;
}
