/** A part of a text from a `{` that starts a line to the `}` that closes it. */
export interface BalancedText {
  readonly start: number;
  readonly end: number;
  /** Levels of nesting, itself included. */
  readonly height: number;
}

interface Opener {
  readonly index: number;
  readonly char: string;
  readonly startsLine: boolean;
  height: number;
}

/** Openers that are remembered: one with more others inside it is given up, which bounds the memory that garbage can take. */
const maxOpen = 10_000;

/**
 * Tells every balanced `{ … }` that starts a line, in the order in which they close, in one pass. A JSON text has no line break
 * inside a string, so each line is read the same whichever brace one began at: a string that is open at the end of its line, or
 * a bracket that closes another kind, makes everything around it no JSON, and only that.
 */
export function eachBalanced(text: string, tell: (found: BalancedText) => void): void {
  let open: Opener[] = [];
  let inString = false;
  let atLineStart = true;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] as string;
    if (char === '\n') {
      if (inString) open = [];
      inString = false;
      atLineStart = true;
      continue;
    }
    if (inString) {
      if (char === '"') inString = false;
      else if (char === '\\' && text[index + 1] !== '\n') index += 1;
      continue;
    }
    if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      open.push({ index, char, startsLine: char === '{' && atLineStart, height: 1 });
      if (open.length > 2 * maxOpen) open = open.slice(-maxOpen);
    } else if (char === '}' || char === ']') {
      const opener = open.pop();
      if (opener === undefined) continue;
      if ((opener.char === '{') !== (char === '}')) {
        open = [];
        continue;
      }
      const parent = open.at(-1);
      if (parent !== undefined) parent.height = Math.max(parent.height, opener.height + 1);
      if (opener.startsLine) tell({ start: opener.index, end: index + 1, height: opener.height });
    }
    if (char !== ' ' && char !== '\t' && char !== '\r') atLineStart = false;
  }
}
