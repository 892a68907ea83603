import { applyEdits, type Edit, type Node, parseTree } from '@tenterhook/runtime/jsonc';
import { findOwnEntries, outermost } from './own-entries.js';

/** Removes the entries of the relay from a settings text, and the lists and objects that hold nothing else. All other text stays. */
export function removeEntries(text: string): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const root = parseTree(body, [], { allowTrailingComma: true });
  if (root === undefined) return text;
  return `${mark}${removeNodes(body, outermost(findOwnEntries(root), root))}`;
}

/** Removes values and properties of one JSON text, each with its comma. */
export function removeNodes(text: string, nodes: readonly Node[]): string {
  const byParent = new Map<Node, Node[]>();
  for (const node of nodes) {
    const parent = node.parent;
    if (parent !== undefined) byParent.set(parent, [...(byParent.get(parent) ?? []), node]);
  }
  const edits = [...byParent].flatMap(([parent, removed]) => editsIn(text, parent, removed));
  return applyEdits(text, edits);
}

/** The commas of a container are set anew: one between each two of the values that stay, and one after the last if there was one. */
function editsIn(text: string, parent: Node, removed: readonly Node[]): Edit[] {
  const children = parent.children ?? [];
  const close = parent.offset + parent.length - 1;
  const edits: Edit[] = [];
  const staying = children.filter((child) => !removed.includes(child));
  for (const [index, child] of children.entries()) {
    const end = child.offset + child.length;
    const comma = commaAfter(text, end, children[index + 1]?.offset ?? close);
    if (removed.includes(child)) {
      const from = startOfSpace(text, child.offset);
      edits.push({ offset: from, length: end - from, content: '' });
      if (comma !== undefined) edits.push({ offset: comma, length: 1, content: '' });
    } else if (child === staying.at(-1) && comma !== undefined && index < children.length - 1 && !hasTrailingComma(text, children, close)) {
      edits.push({ offset: comma, length: 1, content: '' });
    }
  }
  // Without values, a container on several lines becomes an empty one.
  const from = parent.offset + 1;
  if (
    staying.length === 0 &&
    /^\s*$/.test(
      applyEdits(
        text.slice(from, close),
        edits.map((edit) => ({ ...edit, offset: edit.offset - from })),
      ),
    )
  )
    return [{ offset: from, length: close - from, content: '' }];
  return edits;
}

function hasTrailingComma(text: string, children: readonly Node[], close: number): boolean {
  const last = children.at(-1);
  return last !== undefined && commaAfter(text, last.offset + last.length, close) !== undefined;
}

/** Returns the offset of the comma between two values. Comments are skipped. */
function commaAfter(text: string, from: number, to: number): number | undefined {
  for (let at = from; at < to; at += 1) {
    if (text[at] === ',') return at;
    if (text.startsWith('//', at)) at += (/[^\r\n]*/.exec(text.slice(at))?.[0].length ?? 1) - 1;
    else if (text.startsWith('/*', at)) at += (/\/\*[\s\S]*?\*\//.exec(text.slice(at))?.[0].length ?? 1) - 1;
  }
  return undefined;
}

function startOfSpace(text: string, offset: number): number {
  let from = offset;
  while (from > 0 && /\s/.test(text[from - 1] as string)) from -= 1;
  // The line end after a `//` comment must stay, or the comment would hide what follows.
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  return line.includes('//') && from < offset ? from + (/^\r?\n/.exec(text.slice(from, offset))?.[0].length ?? 0) : from;
}
