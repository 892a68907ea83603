import { startsRelay } from '@tenterhook/protocol/internal';
import type { Node } from '@tenterhook/runtime/jsonc';

/** The keys whose text is a shell command, in all formats. */
const commandKeys = ['command', 'shell'];

/** Returns the objects that start the relay, wherever in the settings a user has moved them. */
export function findOwnEntries(root: Node | undefined): readonly Node[] {
  if (root === undefined) return [];
  if (root.type === 'object' && isEntry(root)) return [root];
  return (root.children ?? []).flatMap((child) => findOwnEntries(child));
}

function isEntry(node: Node): boolean {
  const command = commandKeys.map((key) => textOf(memberOf(node, key))).find((text) => text !== undefined);
  const args = memberOf(node, 'args');
  const words = args?.type === 'array' ? (args.children ?? []).map((word) => String(word.value)) : undefined;
  return command !== undefined && startsRelay({ kind: 'command', command, ...(words === undefined ? {} : { args: words }) });
}

/** Returns the value of a key of an object. Of a repeated key the last value counts. */
export function memberOf(node: Node | undefined, key: string): Node | undefined {
  const properties = node?.type === 'object' ? (node.children ?? []) : [];
  return properties.filter(({ children }) => children?.[0]?.value === key).at(-1)?.children?.[1];
}

function textOf(node: Node | undefined): string | undefined {
  return typeof node?.value === 'string' ? node.value : undefined;
}

/** Returns the largest values that contain nothing but entries: a group, the list of an event, or all hooks. */
export function outermost(entries: readonly Node[], root: Node): readonly Node[] {
  const own = new Set<Node>(entries);
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const node of [...own]) {
      const parent = node.parent;
      if (parent === undefined || own.has(parent) || parent === root) continue;
      if (!isOwn(parent, own)) continue;
      own.add(parent);
      isGrowing = true;
    }
  }
  return [...own].filter((node) => node.parent === undefined || !own.has(node.parent));
}

/**
 * Tests whether a value has nothing but entries. A group or a hook belongs to its list of entries, whatever other keys it has. An object of
 * hooks or events belongs to us only if all of its keys do.
 */
function isOwn(node: Node, own: ReadonlySet<Node>): boolean {
  const children = node.children ?? [];
  switch (node.type) {
    case 'property':
      return children[1] !== undefined && own.has(children[1]);
    case 'array':
      return children.every((child) => own.has(child));
    case 'object':
      return children.every((child) => own.has(child)) || children.some((child) => own.has(child) && isListOfEntries(child));
    default:
      return false;
  }
}

function isListOfEntries({ children }: Node): boolean {
  const [key, value] = children ?? [];
  return (
    value?.type === 'array' &&
    (key?.value === 'actions' || (key?.value === 'hooks' && (value.children ?? []).every(({ type }) => type === 'object')))
  );
}
