import { isPlainObject } from '@tenterhook/runtime/json';
import { applyEdits } from '@tenterhook/runtime/jsonc';
import { readToml, type TomlTable, tomlPlaces, tomlTables, writeToml } from '@tenterhook/runtime/toml';
import { type EntryFields, isEntry, ownEntriesIn } from './own-entries.js';
import { addedObject, areSameEntries, entriesOf, type PlannedEdit } from './plan-install.js';
import { readEntry } from './read-entries.js';
import type { SettingsForm } from './settings-form.js';
import { blockMarks, withTomlBlock } from './toml-block.js';

/**
 * Settings in TOML. The entries are tables in a block at the end of the file, because no parser keeps the text of a document. Entries that a
 * user has moved out of the block are found by their command.
 */
export const tomlForm: SettingsForm = {
  findProblem,
  readEntries: (text) => entriesIn(text).map(readEntry),
  planInstall(before, { format, events, command, options }) {
    const base = before ?? '';
    const problem = findProblem(base);
    if (problem !== undefined) return { problem };
    const additions = events.map((event) => format.entry(event, command(event), options(event)));
    if (areSameEntries(entriesIn(base), entriesOf(additions))) return { text: base };
    const cleared = withoutEntries(base);
    if ('problem' in cleared) return cleared;
    const text = withTomlBlock(cleared.text, undefined, writeToml(addedObject(additions)));
    if (readToml(bodyOf(text)).ok) return { text };
    const closed = additions.find(({ at }) => !readToml(`${bodyOf(cleared.text)}\n[[${at.join('.')}]]\n`).ok);
    return { problem: `${placeOf(cleared.text, closed?.at ?? [])}: ${notOpen(closed?.at ?? [])}` };
  },
  planUninstall(text, _format, record) {
    if (record?.after === text) return { text: record.before };
    const problem = findProblem(text);
    return problem === undefined ? withoutEntries(text) : { problem };
  },
  textBefore(text, record) {
    if (text === undefined) return null;
    if (record?.after === text) return record.before;
    const cleared = withoutEntries(text);
    return 'problem' in cleared ? text : cleared.text;
  },
  // The agent itself writes into the file too, so only the entries are compared.
  isEdited: (text, record) => record === undefined || !areSameEntries(entriesIn(text), entriesIn(record.after)),
};

function findProblem(text: string): string | undefined {
  const read = readToml(bodyOf(text));
  if (read.ok) return undefined;
  const { message, line, column } = read.error;
  return `line ${line}, column ${column}: ${message}. Correct the file first.`;
}

function entriesIn(text: string): readonly EntryFields[] {
  const read = readToml(bodyOf(text));
  return read.ok ? ownEntriesIn(read.value) : [];
}

/** Removes the entries and their block. All other text stays. */
function withoutEntries(text: string): PlannedEdit {
  const body = bodyOf(text);
  const read = readToml(body);
  const value = read.ok ? read.value : undefined;
  const own = tomlTables(body).filter(({ path }) => isOwnTable(value, path));
  const edits = own.map((table) => ({ ...rangeOf(body, table), content: '' }));
  const cleared = withTomlBlock(applyEdits(body, edits), undefined, undefined);
  const after = readToml(cleared);
  if (!after.ok) return { problem: `without the entries, line ${after.error.line}: ${after.error.message}. Correct the file first.` };
  const [left] = ownEntriesIn(after.value);
  if (left === undefined) return { text: `${text.slice(0, text.length - body.length)}${cleared}` };
  const inline = ownEntriesIn(value).find((entry) => !own.some(({ path }) => valueAt(value, path) === entry));
  const path = pathOf(value, inline) ?? [];
  return { problem: `${placeOf(text, path)}: an entry of the relay is in an inline table. Take it out first.` };
}

function isOwnTable(value: unknown, path: TomlTable['path']): boolean {
  return path.some((step, index) => typeof step === 'number' && isOwnValue(valueAt(value, path.slice(0, index + 1))));
}

/** Tests whether a value is an entry, or a group that has only entries. */
function isOwnValue(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { hooks } = value;
  return isEntry(value) || (Array.isArray(hooks) && hooks.length > 0 && hooks.every((hook) => isPlainObject(hook) && isEntry(hook)));
}

function valueAt(value: unknown, path: TomlTable['path']): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Readonly<Record<string | number, unknown>> | undefined)?.[step], value);
}

/** A key that was added below the block belongs to the last table of the block for TOML, but not for the user. */
function rangeOf(text: string, { start, end }: TomlTable): { readonly offset: number; readonly length: number } {
  const offset = start - (/[ \t]*$/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))?.[0].length ?? 0);
  const mark = blockMarks.exec(text.slice(offset, end));
  return { offset, length: (mark === null ? end : offset + mark.index) - offset };
}

function notOpen(path: readonly string[]): string {
  const name = path.join('.');
  return `no entry can be added to ${name}, because it is not written as [[${name}]]. Write it in this form, or move the hooks of the file into hooks.json.`;
}

function placeOf(text: string, path: TomlTable['path']): string {
  const body = bodyOf(text);
  const lines = body.slice(0, tomlPlaces(body)(path)).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function pathOf(value: unknown, wanted: EntryFields | undefined): TomlTable['path'] | undefined {
  if (value === wanted) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const path = pathOf(inner, wanted);
    if (path !== undefined) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return undefined;
}

function bodyOf(text: string): string {
  return text.replace(/^\uFEFF/, '');
}
