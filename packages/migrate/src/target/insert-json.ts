import { applyEdits, type Edit, type Node, parseTree } from '@tenterhook/runtime/jsonc';

/** The changed text, or the problem that prevents the change. `path` is the place of the problem. */
type Inserted = { readonly text: string } | { readonly problem: string; readonly path: readonly string[] };

export type JsonObject = { readonly [key: string]: unknown };

/**
 * Adds keys and list items to the text of a settings file, which may have comments and trailing commas. The existing text is not changed.
 * `modify` of jsonc-parser was rejected: it inserts an item before the comment of the previous item, and reformats whole lines.
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

/** Returns the new text of a file that was empty or had only comments. */
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
    if (again !== undefined) return { problem: 'the key occurs twice, and only its last value is read', path: [...path, key] };
    if (child === undefined) missing.push([`${JSON.stringify(key)}: `, value]);
    const conflict = child === undefined ? undefined : insertInto(child, value, [...path, key], insertion);
    if (conflict !== undefined) return conflict;
  }
  append(node, missing, insertion);
  return undefined;
}

/** Adds items at the end of an object or a list, after the last comment in it. */
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

/** The line ends and indentation of a settings file, which additions use too. */
interface JsonLayout {
  readonly lineEnd: string;
  /** The white space of one level, e.g. two spaces. */
  readonly indent: string;
}

const usual: JsonLayout = { lineEnd: '\n', indent: '  ' };

function layoutOf(text: string, root: Node | undefined): JsonLayout {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? usual.lineEnd;
  const first = root?.children?.[0];
  const indent = first === undefined ? '' : (ownIndent(text, first.offset) ?? '');
  return { lineEnd, indent: indent === '' ? usual.indent : indent };
}

/** Formats a value over several lines. The first line is not indented. */
export function written(value: unknown, indentation: string, { lineEnd, indent }: JsonLayout): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `${lineEnd}${indentation}`);
}

/** Returns the white space before a value, or undefined if other text precedes the value in its line. */
function ownIndent(text: string, offset: number): string | undefined {
  const before = text.slice(lineStart(text, offset), offset);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/**
 * Returns the offset of the comma between two values, and the end of the last comment between them. Nothing else can be between
 * them, because the file was already parsed without errors.
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

/** Tests whether a text consists of white space and comments only. */
export function saysNothing(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const length = triviaAt(text, at);
    if (length === 0) return false;
    at += length;
  }
  return true;
}

/**
 * Returns the length of the white space or comment at an offset, or 0 for other text. The line end after a `//` comment does not
 * belong to the comment.
 */
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
