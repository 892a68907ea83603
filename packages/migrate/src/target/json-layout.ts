import type { Node } from '@tenterhook/runtime/jsonc';

/** How a file of settings is laid out, as far as what is added to it has to follow that. */
export interface JsonLayout {
  readonly lineEnd: string;
  /** One step of indentation. */
  readonly indent: string;
}

const usual: JsonLayout = { lineEnd: '\n', indent: '  ' };

/** As the file has it: its line ends, and the indentation of the first thing in it. */
export function layoutOf(text: string, root: Node | undefined): JsonLayout {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? usual.lineEnd;
  const first = root?.children?.[0];
  const indent = first === undefined ? '' : (ownIndent(text, first.offset) ?? '');
  return { lineEnd, indent: indent === '' ? usual.indent : indent };
}

/** A value on lines of its own, the first of them without its indentation. */
export function written(value: unknown, indentation: string, { lineEnd, indent }: JsonLayout): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `${lineEnd}${indentation}`);
}

/** The white space before something that begins its line; undefined where another thing begins it. */
export function ownIndent(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

/** The white space that the line of this place begins with. */
export function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/**
 * What stands between values: where the comma is, and where the last comment ends. Nothing but white space, comments and one comma stands
 * there, because the text was parsed.
 */
export function betweenValues(text: string, from: number, to: number): { readonly comma: number | undefined; readonly end: number } {
  let [comma, end]: [number | undefined, number] = [undefined, from];
  for (let at = from; at < to; ) {
    const length = triviaAt(text, at);
    if (text[at] === ',') comma = at;
    at += Math.max(length, 1);
    if (!/\s/.test(text[at - 1] ?? '') || length > 1) end = Math.min(at, to);
  }
  return { comma, end };
}

/** Whether a text has nothing but white space and comments in it: a file that says nothing. */
export function saysNothing(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const length = triviaAt(text, at);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

/** The length of the white space or comment at a place; 0 where there is none. A line comment is without the end of its line. */
function triviaAt(text: string, at: number): number {
  if (/\s/.test(text[at] ?? '')) return 1;
  const comment = text.startsWith('//', at) ? /[^\r\n]*/y : text.startsWith('/*', at) ? /\/\*[\s\S]*?\*\//y : undefined;
  if (comment === undefined) return 0;
  comment.lastIndex = at;
  return comment.exec(text)?.[0].length ?? 0;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}
