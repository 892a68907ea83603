import type { RelayFormat } from '@tenterhook/protocol';
import { type Node, type ParseError, parseTree } from '@tenterhook/runtime/jsonc';
import { type EntryFields, findOwnEntries, plainValue } from './own-entries.js';
import { findProblem, planInstall } from './plan-install.js';
import { readEntry } from './read-entries.js';
import { removeEntries } from './remove-nodes.js';
import { type InstallRecord, revertInstall } from './revert-install.js';
import type { PlannedRemoval, SettingsForm } from './settings-form.js';
import { tomlForm } from './toml-form.js';

/** Returns the form of a settings file, by its name. */
export function formOf(file: string): SettingsForm {
  return file.endsWith('.toml') ? tomlForm : jsonForm;
}

/** Settings in JSON. All text that does not belong to the entries stays, with comments and layout. */
const jsonForm: SettingsForm = {
  findProblem,
  readEntries: (text) => entriesIn(text).map((node) => readEntry(plainValue(node) as EntryFields)),
  planInstall,
  planUninstall,
  textBefore,
  isEdited: (text, record) => record?.after !== text,
};

/** Returns the text from before the installation if no other program has edited the file since. Otherwise takes the entries out, and leaves the edits. */
function planUninstall(text: string, format: RelayFormat, record: InstallRecord | undefined): PlannedRemoval {
  if (record?.after === text) return { text: record.before };
  const problem = findProblem(text, { ...format, strictJson: false, unread: () => undefined });
  if (problem !== undefined) return { problem };
  const removed = withoutEntries(text, record);
  return { text: removed !== null && format.ownFile !== undefined && holdsNothing(removed, format) ? null : removed };
}

/**
 * Returns the text that an installation has to give back, or null if there was no file. Entries of an earlier installation do not belong to
 * it: another program may have edited the file since.
 */
function textBefore(text: string | undefined, record: InstallRecord | undefined): string | null {
  if (text === undefined) return null;
  if (record?.after === text) return record.before;
  return entriesIn(text).length === 0 ? text : withoutEntries(text, record);
}

function withoutEntries(text: string, record: InstallRecord | undefined): string | null {
  const reverted = record === undefined ? undefined : revertInstall(text, record);
  // A comma that the installation added may be necessary now: an edit can have added a value after it.
  if (reverted !== undefined && entriesIn(reverted).length === 0 && countErrors(reverted) <= countErrors(text)) return reverted;
  const removed = removeEntries(text);
  const isEmpty = record?.before === null && /^\s*\{\s*\}\s*$/.test(removed);
  return isEmpty ? null : removed;
}

/** Tests whether a file of our own has nothing but the switches that each installation writes. Without a record it is removed too. */
function holdsNothing(text: string, { events, entry }: RelayFormat): boolean {
  const [event = ''] = Object.keys(events);
  const { switches = [] } = entry(event, { program: '', args: [] }, { timeoutMs: 1, onFailure: 'open' });
  const keys = (parseTree(text)?.children ?? []).map(({ children }) => children?.[0]?.value);
  return keys.every((key) => switches.some(({ path: [first] }) => first === key));
}

/** Returns the number of syntax errors. A trailing comma is one, because some agents do not read it. */
function countErrors(text: string): number {
  const errors: ParseError[] = [];
  parseTree(text.replace(/^\uFEFF/, ''), errors);
  return errors.length;
}

function entriesIn(text: string): readonly Node[] {
  return findOwnEntries(parseTree(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true }));
}
