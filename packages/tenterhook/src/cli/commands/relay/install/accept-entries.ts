import { existsSync, realpathSync, rmSync } from 'node:fs';
import { replaceFile } from '@tenterhook/migrate';
import { type DialectContext, isPlainObject } from '@tenterhook/protocol';
import { startsRelay } from '@tenterhook/protocol/internal';
import { withTomlBlock } from '@tenterhook/relay';
import { describeThrown } from '@tenterhook/runtime/text';
import { readToml } from '@tenterhook/runtime/toml';
import { documentOfText } from '../../../../settings/read/read-document.js';
import type { RelayedDialect } from '../relayed-agent.js';
import { cannot, entryFiles, installedFiles, readIfRegular, readSettingsText, type Scope, scopes } from './settings-file.js';

/** Settings of an agent with entries, and where they are. */
export interface Entries {
  readonly file: string;
  readonly source: string;
  /** The text of the settings. */
  readonly text: string;
}

/** What the agent reads if its user has accepted the entries. Undefined if the agent cannot be answered in a file. */
export function acceptance(agent: RelayedDialect, { file, source, text }: Entries, context: DialectContext) {
  const read = documentOfText(text.replace(/^\uFEFF/, ''), file, source);
  if (agent.relay.accepted === undefined || read.state !== 'read') return undefined;
  const { hooks } = agent.parse(read.document, context);
  const own = hooks.filter(({ action }) => startsRelay(action));
  return agent.relay.accepted(own, context);
}

/** The new text of the file with the acceptance. */
export interface PlannedAcceptance {
  readonly file: string;
  /** Undefined if the file does not exist. */
  readonly before: string | undefined;
  readonly after: string;
  /** True if this is also the file of the entries: `after` has both. */
  readonly isInSettings: boolean;
}

/**
 * Plans to write that the user has accepted the entries, or to take it out if there are none. Undefined if the agent cannot be answered in a
 * file. Throws if the agent would not read the file any more.
 */
export function planAcceptance(agent: RelayedDialect, entries: Entries, context: DialectContext): PlannedAcceptance | undefined {
  const accepted = acceptance(agent, entries, context);
  if (accepted === undefined) return undefined;
  const { file, toml } = accepted;
  const isInSettings = existsSync(file) && realpathSync(file) === entries.file;
  const before = isInSettings ? entries.text : readSettingsText(file);
  const others = withTomlBlock(before ?? '', entries.file, undefined);
  const missing = missingTables(others, toml, file);
  return { file, before, after: withTomlBlock(before ?? '', entries.file, missing === '' ? undefined : missing), isInSettings };
}

/** What the user has accepted about a file that has no entries any more. */
export interface StaleAcceptance {
  readonly scope: Scope;
  /** The file that has no entries. */
  readonly entries: string;
  /** The file with the acceptance. */
  readonly file: string;
  /** Returns the texts of this file. Throws if it cannot be edited. */
  plan(): { readonly file: string; readonly before: string; readonly after: string };
}

/** Finds acceptances that are left because entries were taken out by hand. */
export function staleAcceptances(agent: RelayedDialect, context: DialectContext): readonly StaleAcceptance[] {
  const accepted = agent.relay.accepted?.([], context);
  if (accepted === undefined) return [];
  const { file } = accepted;
  const text = readIfRegular(file) ?? '';
  return scopes.flatMap((scope) => {
    const installed = installedFiles(agent, scope, context);
    return entryFiles(agent, scope, context).flatMap((entries): StaleAcceptance[] => {
      const name = existsSync(entries) ? realpathSync(entries) : entries;
      if (installed.includes(entries) || withTomlBlock(text, name, undefined) === text) return [];
      const plan = () => {
        const before = readSettingsText(file) ?? '';
        return { file, before, after: withTomlBlock(before, name, undefined) };
      };
      return [{ scope, entries, file, plan }];
    });
  });
}

export function writeAcceptance({ file, before, after, isInSettings }: PlannedAcceptance): void {
  if (isInSettings || after === (before ?? '')) return;
  try {
    if (after === '') rmSync(file);
    else replaceFile(file, before, after);
  } catch (error) {
    throw cannot(file, 'cannot be written', describeThrown(error));
  }
}

/**
 * Returns the tables that a text does not have already. TOML with the same table twice is not valid, and the agent would read none of the
 * file. The agent itself writes such a table if its user accepts an entry there.
 */
function missingTables(text: string, toml: string, file: string): string {
  const tables = tablesIn(toml);
  if (tables.length === 0) return '';
  const present = readToml(text);
  if (!present.ok) {
    const { message, line, column } = present.error;
    throw cannot(file, 'is not edited', `line ${line}, column ${column}: ${message}. Correct it first.`);
  }
  return tables
    .filter((table) => {
      const wanted = readToml(table);
      if (wanted.ok && contains(present.value, wanted.value)) return false;
      if (readToml(`${text}\n${table}`).ok) return true;
      const why = `it has ${(table.split('\n')[0] as string).trim()} already, for another version of the entry.`;
      throw cannot(file, 'is not edited', `${why} Remove this table, or accept the entries in the agent.`);
    })
    .join('');
}

/** Counts the entries that an agent reads as accepted in a text, and all that it asks about. */
export function countAccepted(toml: string, text: string): { readonly accepted: number; readonly all: number } {
  const present = readToml(text);
  const tables = tablesIn(toml);
  const accepted = tables.filter((table) => {
    const wanted = readToml(table);
    return present.ok && wanted.ok && contains(present.value, wanted.value);
  });
  return { accepted: accepted.length, all: tables.length };
}

function tablesIn(toml: string): readonly string[] {
  return toml.split(/^(?=\[)/m).filter((table) => table.trim() !== '');
}

function contains(whole: unknown, part: unknown): boolean {
  if (!isPlainObject(part) || !isPlainObject(whole)) return whole === part;
  return Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && contains(whole[key], value));
}
