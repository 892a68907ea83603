import { applyEdits, type Edit, type Node, parseTree } from '@tenterhook/runtime/jsonc';

/** Settings with something added, or why nothing can be added: where in the text, and what is wrong there. */
type Inserted = { readonly text: string } | { readonly problem: string; readonly path: readonly string[] };

/** An object whose values are objects, lists, or single values, as it would be in a file. */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * Merges an object into the text of a settings file, which may have comments and trailing commas: missing keys are added, lists get items
 * at their end. Every existing character stays, in its order; nothing is replaced. Not `modify` of jsonc-parser, which puts an item before
 * the comment of the previous one, and reformats whole lines.
 */
export function insertJson(text: string, added: JsonObject): Inserted {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  if (saysNothing(body)) return { text: `${mark}${onItsOwn(body, added)}` };
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (root === undefined) return { problem: 'the file is not valid JSON', path: [] };
  const edits: Edit[] = [];
  const conflict = insertInto(root, added, [], { text: body, layout: layoutOf(body, root), edits });
  return conflict ?? { text: `${mark}${applyEdits(body, edits)}` };
}

interface Insertion {
  readonly text: string;
  readonly layout: JsonLayout;
  readonly edits: Edit[];
}

/** A file that is empty, or has only comments. */
function onItsOwn(comments: string, added: JsonObject): string {
  const layout = layoutOf(comments, undefined);
  const before = comments.trim() === '' ? '' : `${comments.trimEnd()}${layout.lineEnd}`;
  return `${before}${written(added, '', layout)}${layout.lineEnd}`;
}

function insertInto(
  node: Node,
  added: unknown,
  path: readonly string[],
  insertion: Insertion,
): Exclude<Inserted, { text: string }> | undefined {
  if (Array.isArray(added)) {
    if (node.type !== 'array') return { problem: 'must be an array', path };
    append(
      node,
      added.map((item) => ['', item] as const),
      insertion,
    );
    return undefined;
  }
  if (node.type !== 'object' || typeof added !== 'object' || added === null) {
    return { problem: node.type === 'object' ? 'is an object' : 'must be an object', path };
  }
  const missing: (readonly [string, unknown])[] = [];
  for (const [key, value] of Object.entries(added)) {
    const [property, again] = (node.children ?? []).filter(({ children }) => children?.[0]?.value === key);
    const child = property?.children?.[1];
    if (again !== undefined) return { problem: 'the key is there twice, and only the last one counts', path: [...path, key] };
    if (child === undefined) missing.push([`${JSON.stringify(key)}: `, value]);
    const conflict = child === undefined ? undefined : insertInto(child, value, [...path, key], insertion);
    if (conflict !== undefined) return conflict;
  }
  append(node, missing, insertion);
  return undefined;
}

/** At the end of an object or a list, after the last comment in it. */
function append(node: Node, items: readonly (readonly [string, unknown])[], { text, layout, edits }: Insertion): void {
  if (items.length === 0) return;
  const close = node.offset + node.length - 1;
  const last = node.children?.at(-1);
  const from = last === undefined ? node.offset + 1 : last.offset + last.length;
  const { comma, end } = betweenValues(text, from, close);
  const around = lineIndent(text, node.offset);
  const indentation = (last === undefined ? undefined : ownIndent(text, last.offset)) ?? `${around}${layout.indent}`;
  const lineBreak = `${layout.lineEnd}${indentation}`;
  const listed = items.map(([key, value]) => `${key}${written(value, indentation, layout)}`).join(`,${lineBreak}`);
  if (last !== undefined && comma === undefined) edits.push({ offset: from, length: 0, content: ',' });
  const isOnLine = text.slice(end, close).includes('\n');
  const content = `${lineBreak}${listed}${comma === undefined ? '' : ','}${isOnLine ? '' : `${layout.lineEnd}${around}`}`;
  edits.push({ offset: end, length: 0, content });
}

/** The layout of a settings file, as far as additions must follow it. */
interface JsonLayout {
  readonly lineEnd: string;
  /** One step of indentation. */
  readonly indent: string;
}

const usual: JsonLayout = { lineEnd: '\n', indent: '  ' };

/** Read from the file: its line ends, and the indentation of its first value. */
function layoutOf(text: string, root: Node | undefined): JsonLayout {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? usual.lineEnd;
  const first = root?.children?.[0];
  const indent = first === undefined ? '' : (ownIndent(text, first.offset) ?? '');
  return { lineEnd, indent: indent === '' ? usual.indent : indent };
}

/** A value on separate lines, the first of them without its indentation. */
export function written(value: unknown, indentation: string, { lineEnd, indent }: JsonLayout): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `${lineEnd}${indentation}`);
}

/** The white space before a value that begins its line; undefined if the value does not begin the line. */
function ownIndent(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

/** The white space that the line of this place begins with. */
function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/**
 * The text between two values: where its comma is, and where its last comment ends. It has only white space, comments and one comma,
 * because the whole text was parsed before.
 */
function betweenValues(text: string, from: number, to: number): { readonly comma: number | undefined; readonly end: number } {
  let [comma, end]: [number | undefined, number] = [undefined, from];
  for (let at = from; at < to; ) {
    const length = triviaAt(text, at);
    if (text[at] === ',') comma = at;
    at += Math.max(length, 1);
    if (!/\s/.test(text[at - 1] ?? '') || length > 1) end = Math.min(at, to);
  }
  return { comma, end };
}

/** Whether a text has only white space and comments. */
export function saysNothing(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const length = triviaAt(text, at);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

/** The length of the white space or comment at a place; 0 if there is neither. A line comment does not include the end of its line. */
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
