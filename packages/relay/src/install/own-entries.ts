import { startsRelay } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Node } from '@tenterhook/runtime/jsonc';

/** A hook in the settings, as a plain object. */
export type EntryFields = Readonly<Record<string, unknown>>;

/** Returns the text of a hook that is a shell command or a program, in all formats. */
export function commandOf({ command, shell }: EntryFields): string | undefined {
  return [command, shell].find((text) => typeof text === 'string');
}

/** Tests whether a hook starts the relay. */
export function isEntry(fields: EntryFields): boolean {
  const { args } = fields;
  const command = commandOf(fields);
  return command !== undefined && startsRelay({ kind: 'command', command, ...(Array.isArray(args) ? { args: args.map(String) } : {}) });
}

/** Returns the hooks in a plain value that start the relay. */
export function ownEntriesIn(value: unknown): readonly EntryFields[] {
  if (Array.isArray(value)) return value.flatMap(ownEntriesIn);
  if (!isPlainObject(value)) return [];
  return isEntry(value) ? [value] : Object.values(value).flatMap(ownEntriesIn);
}

/** Returns the objects that start the relay, wherever in the settings a user has moved them. */
export function findOwnEntries(root: Node | undefined): readonly Node[] {
  if (root === undefined) return [];
  if (root.type === 'object' && isEntryNode(root)) return [root];
  return (root.children ?? []).flatMap((child) => findOwnEntries(child));
}

function isEntryNode(node: Node): boolean {
  const args = memberOf(node, 'args');
  return isEntry({
    command: memberOf(node, 'command')?.value,
    shell: memberOf(node, 'shell')?.value,
    args: args === undefined ? undefined : plainValue(args),
  });
}

/** Returns the value of a part of a JSON text. */
export function plainValue({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(plainValue);
  if (type !== 'object') return value;
  return Object.fromEntries(children.map((property) => [property.children?.[0]?.value, plainValue(property.children?.[1] as Node)]));
}

/** Returns the value of a key of an object. Of a repeated key the last value counts. */
export function memberOf(node: Node | undefined, key: string): Node | undefined {
  const properties = node?.type === 'object' ? (node.children ?? []) : [];
  return properties.filter(({ children }) => children?.[0]?.value === key).at(-1)?.children?.[1];
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
