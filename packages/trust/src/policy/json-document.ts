import { type Node, type ParseError, parseTree, printParseErrorCode } from '@tenterhook/runtime/jsonc';

/** The path of a value in a document. */
export type ValuePath = readonly PropertyKey[];

/** A document of JSON with comments, and the lines of its values. */
export interface JsonDocument {
  readonly value: unknown;
  /** Returns the line of a value, from 1. If the value does not exist, returns the line of its nearest existing parent. */
  lineOf(path: ValuePath): number;
}

/** A mistake in a text, and its line, from 1. */
export interface JsonProblem {
  readonly problem: string;
  readonly line: number;
}

/**
 * Reads JSON with comments and trailing commas. A duplicate key is an error. Otherwise a reader of a policy would have to know which of
 * the two values is used.
 */
export function readJsonDocument(text: string): JsonDocument | JsonProblem {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (tree === undefined || error !== undefined) {
    const offset = error?.offset ?? 0;
    return {
      problem: `is not valid JSON (${error === undefined ? 'it is empty' : printParseErrorCode(error.error)})`,
      line: lineAt(offset),
    };
  }
  const duplicate = findDuplicate(tree);
  if (duplicate !== undefined) return { problem: `has the key ${JSON.stringify(duplicate.value)} twice`, line: lineAt(duplicate.offset) };
  return { value: valueOfNode(tree), lineOf: (path) => lineAt(nearest(tree, path).offset) };
}

/** Returns the key and the value of each property of an object. */
function propertiesOf(node: Node): [Node, Node][] {
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [[key, value]],
  );
}

function findDuplicate(node: Node): Node | undefined {
  if (node.type === 'object') {
    const seen = new Set<unknown>();
    for (const [key, value] of propertiesOf(node)) {
      if (seen.has(key.value)) return key;
      seen.add(key.value);
      const inside = findDuplicate(value);
      if (inside !== undefined) return inside;
    }
    return undefined;
  }
  for (const child of node.children ?? []) {
    const inside = findDuplicate(child);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function nearest(tree: Node, path: ValuePath): Node {
  let node = tree;
  for (const step of path) {
    const child = node.type === 'array' ? node.children?.[Number(step)] : propertiesOf(node).find(([key]) => key.value === step)?.[1];
    if (child === undefined) return node;
    node = child;
  }
  return node;
}

/** Creates the value of a node. A key "__proto__" becomes an own property like any other key, so that it is reported as unknown. */
function valueOfNode(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOfNode);
  if (node.type !== 'object') return node.value;
  const value = {};
  for (const [key, child] of propertiesOf(node)) {
    Object.defineProperty(value, key.value as string, { value: valueOfNode(child), enumerable: true, writable: true, configurable: true });
  }
  return value;
}
