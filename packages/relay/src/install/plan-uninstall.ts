import type { RelayFormat } from '@tenterhook/protocol';
import { parseTree } from '@tenterhook/runtime/jsonc';
import { findOwnEntries } from './own-entries.js';
import { findProblem } from './plan-install.js';
import { removeEntries } from './remove-nodes.js';
import { type InstallRecord, revertInstall } from './revert-install.js';

/** The text of a file without the entries. Null if the file is to be removed. */
export type PlannedRemoval = { readonly text: string | null } | { readonly problem: string };

/** Returns the text from before the installation if no other program has edited the file since. Otherwise takes the entries out, and leaves the edits. */
export function planUninstall(text: string, format: RelayFormat, record: InstallRecord | undefined): PlannedRemoval {
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
export function textBefore(text: string | undefined, record: InstallRecord | undefined): string | null {
  if (text === undefined) return null;
  if (record?.after === text) return record.before;
  return countEntries(text) === 0 ? text : withoutEntries(text, record);
}

function withoutEntries(text: string, record: InstallRecord | undefined): string | null {
  const reverted = record === undefined ? undefined : revertInstall(text, record);
  if (reverted !== undefined && countEntries(reverted) === 0) return reverted;
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

/** Returns the number of entries of the relay in a settings text. */
export function countEntries(text: string): number {
  return findOwnEntries(parseTree(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })).length;
}
