import { insertJson } from '@tenterhook/migrate';
import type { RelayCommand, RelayEntryOptions, RelayFormat, SettingsAddition } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { type Node, type ParseError, parseTree, printParseErrorCode } from '@tenterhook/runtime/jsonc';
import { type EntryFields, findOwnEntries, memberOf, plainValue } from './own-entries.js';
import { removeEntries } from './remove-nodes.js';

/** The new text of a settings file, or why it is not edited. */
export type PlannedEdit = { readonly text: string } | { readonly problem: string };

/** What to install: the events, and the command for each. */
export interface Installation {
  readonly format: RelayFormat;
  readonly events: readonly string[];
  command(event: string): RelayCommand;
  options(event: string): RelayEntryOptions;
}

/**
 * Returns the text with the entries of the relay. Entries from an earlier installation are replaced, so a second installation changes
 * nothing. `before` is undefined if the file does not exist.
 */
export function planInstall(before: string | undefined, { format, events, command, options }: Installation): PlannedEdit {
  const base = before ?? '';
  const problem = findProblem(base, format);
  if (problem !== undefined) return { problem };
  const additions = events.map((event) => format.entry(event, command(event), options(event)));
  const other = findOtherNumber(base, additions);
  if (other !== undefined) return { problem: other };
  if (isInstalled(base, additions)) return { text: base };
  const cleared = removeEntries(base);
  const root = cleared.trim() === '' ? undefined : parseTree(cleared.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  const inserted = insertJson(cleared, addedObject(additions, root));
  if ('problem' in inserted) return { problem: `${inserted.path.join('.')}: ${inserted.problem}. Correct it first.` };
  const text = withSwitches(inserted.text, additions);
  const unread = format.unread?.(text);
  return unread === undefined ? { text } : { problem: `With the entries, ${unread}` };
}

/** Returns why a text cannot be edited, with line and column. */
export function findProblem(text: string, { strictJson, agent, unread }: RelayFormat): string | undefined {
  const body = text.replace(/^\uFEFF/, '');
  if (body.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: strictJson !== true, disallowComments: strictJson === true });
  const [error] = errors;
  if (error !== undefined) {
    const lines = body.slice(0, error.offset).split('\n');
    const why = strictJson === true ? ` ${agent} ignores a file with comments or trailing commas.` : '';
    return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${printParseErrorCode(error.error)}.${why} Correct the file first.`;
  }
  return root?.type === 'object' ? unread?.(text) : 'The file must contain a JSON object.';
}

/** A number is the version of a format. Settings of another version are not ours to change. */
function findOtherNumber(text: string, additions: readonly SettingsAddition[]): string | undefined {
  const root = parseTree(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  for (const { path, value } of additions.flatMap(({ switches = [] }) => switches)) {
    const found = valueAt(root, path)?.value;
    if (typeof value === 'number' && found !== undefined && found !== value)
      return `"${path.join('.')}" must be ${value}, and is ${JSON.stringify(found)}. Correct it first.`;
  }
  return undefined;
}

function valueAt(root: Node | undefined, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => memberOf(node, key), root);
}

/** Tests whether the file has exactly these entries, wherever they are. */
function isInstalled(text: string, additions: readonly SettingsAddition[]): boolean {
  const root = parseTree(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  const present = findOwnEntries(root).map((node) => plainValue(node) as EntryFields);
  const switches = additions.flatMap(({ switches: given = [] }) => given);
  const isOn = switches.every(({ path, value }) => valueAt(root, path)?.value === value);
  return isOn && areSameEntries(present, entriesOf(additions));
}

/** Tests whether two lists have the same entries, in any order. */
export function areSameEntries(some: readonly EntryFields[], others: readonly EntryFields[]): boolean {
  const [one, other] = [some, others].map((entries) => entries.map(canonical).sort()) as [string[], string[]];
  return one.length === other.length && one.every((entry, index) => entry === other[index]);
}

/** Returns the hooks of additions. */
export function entriesOf(additions: readonly SettingsAddition[]): readonly EntryFields[] {
  return additions.flatMap(({ value }) => leavesOf(value));
}

/** The objects of an addition that hold the command. */
function leavesOf(value: unknown): EntryFields[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (!isPlainObject(value)) return [];
  return 'command' in value || 'shell' in value ? [value] : Object.values(value).flatMap(leavesOf);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isPlainObject(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner));
}

/** Joins the additions to one object. Switches that are missing in the file are added; others are changed in place. */
export function addedObject(additions: readonly SettingsAddition[], root?: Node): Readonly<Record<string, unknown>> {
  const whole: Record<string, unknown> = {};
  const at = (path: readonly string[]) =>
    path.reduce<Record<string, unknown>>((folder, key) => {
      folder[key] ??= {};
      return folder[key] as Record<string, unknown>;
    }, whole);
  for (const { switches = [] } of additions) {
    for (const { path, value } of switches) {
      if (valueAt(root, path) === undefined) at(path.slice(0, -1))[path.at(-1) as string] = value;
    }
  }
  for (const { at: path, key, value } of additions) {
    if (key !== undefined) at(path)[key] = value;
    else {
      const folder = at(path.slice(0, -1));
      const name = path.at(-1) as string;
      folder[name] = [...((folder[name] as unknown[] | undefined) ?? []), value];
    }
  }
  return whole;
}

/** Changes switches that have another value. */
function withSwitches(text: string, additions: readonly SettingsAddition[]): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const root = parseTree(body, [], { allowTrailingComma: true });
  const found = new Map<Node, boolean | number>();
  for (const { path, value } of additions.flatMap(({ switches = [] }) => switches)) {
    const node = valueAt(root, path);
    if (node !== undefined && node.value !== value) found.set(node, value);
  }
  const changed = [...found].sort(([one], [other]) => other.offset - one.offset);
  return `${mark}${changed.reduce((whole, [node, value]) => `${whole.slice(0, node.offset)}${value}${whole.slice(node.offset + node.length)}`, body)}`;
}
