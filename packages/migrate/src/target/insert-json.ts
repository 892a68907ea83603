import { applyEdits, type Edit, type Node, parseTree } from '@tenterhook/runtime/jsonc';
import { betweenValues, type JsonLayout, layoutOf, lineIndent, ownIndent, saysNothing, written } from './json-layout.js';

/** Settings with something added, or why nothing can be: where in the text, and what is wrong there. */
export type Inserted = { readonly text: string } | { readonly problem: string; readonly path: readonly string[] };

/** An object whose values are objects, lists, or single values, as it would stand in a file. */
export type JsonObject = { readonly [key: string]: unknown };

/**
 * A text of settings, with comments and trailing commas, with an object laid over it: keys that are missing are added, lists get further items at
 * their end. Every character that was there stays, in its order; what is there already is never replaced. Written by hand and not by
 * `modify` of jsonc-parser, which puts an item before the comment of the one before it, and formats whole lines anew.
 */
export function insertJson(text: string, added: JsonObject): Inserted {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  if (saysNothing(body)) return { text: `${mark}${onItsOwn(body, added)}` };
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (root === undefined) return { problem: 'it is no JSON', path: [] };
  const edits: Edit[] = [];
  const conflict = insertInto(root, added, [], { text: body, layout: layoutOf(body, root), edits });
  return conflict ?? { text: `${mark}${applyEdits(body, edits)}` };
}

interface Insertion {
  readonly text: string;
  readonly layout: JsonLayout;
  readonly edits: Edit[];
}

/** A file that holds nothing, or comments alone. */
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
    if (node.type !== 'array') return { problem: 'it is no list', path };
    append(
      node,
      added.map((item) => ['', item] as const),
      insertion,
    );
    return undefined;
  }
  if (node.type !== 'object' || typeof added !== 'object' || added === null) {
    return { problem: node.type === 'object' ? 'it is an object' : 'it is no object', path };
  }
  const missing: (readonly [string, unknown])[] = [];
  for (const [key, value] of Object.entries(added)) {
    const [property, again] = (node.children ?? []).filter(({ children }) => children?.[0]?.value === key);
    const child = property?.children?.[1];
    if (again !== undefined) return { problem: 'the key stands twice, and only the last one counts', path: [...path, key] };
    if (child === undefined) missing.push([`${JSON.stringify(key)}: `, value]);
    const conflict = child === undefined ? undefined : insertInto(child, value, [...path, key], insertion);
    if (conflict !== undefined) return conflict;
  }
  append(node, missing, insertion);
  return undefined;
}

/** At the end of an object or a list, behind the last comment in it. */
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
