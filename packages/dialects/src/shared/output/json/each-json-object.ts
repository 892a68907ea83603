/** The position of a JSON object in a text: from its `{` to after its `}`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What may come next in the innermost open object or list, by the grammar of JSON. */
type Expected = 'first name' | 'name' | 'colon' | 'first value' | 'value' | 'separator';

// The kinds of containers: objects and lists. A kind takes one byte, because every character of a text may open a container.
const list = 0;
const object = 1;
const objectAtLineStart = 2;

/**
 * Calls `report` with every JSON object that starts a line, in order. Objects inside a valid object are not reported. The text is
 * read once, token by token. At a syntax error all open containers are invalid, and the complete objects in them are reported.
 * Matching braces first was rejected: it takes quadratic time, and a limit on braces could hide an object.
 */
export function eachJsonObject(text: string, report: (found: Span) => void): void {
  const open = new Uint8Array(text.length);
  let depth = 0;
  let expected: Expected = 'first name';
  /** The start positions of open containers of the kind `objectAtLineStart`. */
  const starts: number[] = [];
  /** The positions of complete objects inside an open object. They are reported if the outer object is invalid. */
  const insideStarts: number[] = [];
  const insideEnds: number[] = [];

  const giveUp = () => {
    depth = 0;
    // Clearing takes time even for an empty array, and a text may have an error at every character.
    if (starts.length > 0) starts.length = 0;
    if (insideStarts.length === 0) return;
    for (const [place, start] of insideStarts.entries()) report({ start, end: insideEnds[place] as number });
    insideStarts.length = insideEnds.length = 0;
  };
  const complete = (start: number, end: number) => {
    while (insideStarts.length > 0 && (insideStarts.at(-1) as number) > start) {
      insideStarts.pop();
      insideEnds.pop();
    }
    if (depth === 0) return report({ start, end });
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

/** Returns the index after the token at `index`, or undefined if there is no JSON token. */
function tokenEnd(text: string, index: number): number | undefined {
  const char = text[index] as string;
  if ('{}[],:'.includes(char)) return index + 1;
  return char === '"' ? stringEnd(text, index) : matchEnd(scalar, text, index);
}

/** Returns the index after a string. A regular expression was rejected: its repeated group needs a stack as long as the text. */
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
