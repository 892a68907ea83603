import type { Diagnostic, Dialect, DialectContext, ParsedSettings, SettingsDocument } from '@tenterhook/protocol';
import { markMissingCallbacks } from '../checks/missing-callbacks.js';
import { withoutRelay } from '../checks/relay-entries.js';
import { type FileOwners, withTrustedOwner } from './file-owners.js';
import { markAsKept, type ReadDocument, readDocument } from './read-document.js';
import { checkForeignFormat, recogniseDialect } from './recognise-dialect.js';

/** A file where settings were looked for, and its state. */
export interface SettingsFile {
  readonly file: string;
  readonly source: string;
  /** Undefined if several formats look for the file and its content does not decide, e.g. because the file is missing. */
  readonly dialect?: string;
  readonly state: 'read' | 'missing' | 'broken';
}

/** A document, and what its dialect has read from it. */
export interface DialectDocument {
  readonly dialect: Dialect;
  readonly parsed: ParsedSettings;
  /** Notes about how the dialect was chosen. */
  readonly notes: readonly Diagnostic[];
}

/** The settings file of a source. `found` is absent if there is no content with hooks. */
export interface ReadSettingsFile {
  readonly state: 'read' | 'missing' | 'broken';
  readonly diagnostics: readonly Diagnostic[];
  readonly found?: DialectDocument;
}

export interface ReadingOf {
  readonly dialects: readonly Dialect[];
  readonly context: DialectContext;
  /** Tests whether the agent passed a callback for a type of hook, e.g. `prompt`. @default there are no callbacks */
  readonly isRunByHost?: (type: string) => boolean;
  /**
   * Whether this is the command line, not an agent. A hook that needs an agent is then not reported as invalid, because it may run in one.
   * @default false
   */
  readonly isCommandLine?: boolean;
  /**
   * The last content of each file that its dialect accepted as a whole, by source and file. It is used while the file is broken (decision
   * 35).
   */
  readonly lastGood: Map<string, SettingsDocument>;
  /** Checks who owns and may write the files. @default every owner is trusted */
  readonly owners?: FileOwners | undefined;
}

/** The possible dialects of a document, from its location or from the caller. */
export interface Whose {
  readonly known?: Dialect | undefined;
  /** The dialects in which the document may be written. @default all */
  readonly among?: readonly Dialect[];
  /** Adds data to the document once its dialect is known. @default adds nothing */
  readonly complete?: (document: SettingsDocument, dialect: Dialect) => SettingsDocument;
}

/** Parses a document in its dialect, which is known or is recognised. */
export function parseDocument(given: SettingsDocument, { known, among, complete }: Whose, reading: ReadingOf): DialectDocument {
  const { dialects, context, isRunByHost = () => false, isCommandLine = false } = reading;
  const { dialect, note } = known === undefined ? recogniseDialect(given, among ?? dialects, context) : { dialect: known, note: undefined };
  const document = complete?.(given, dialect) ?? given;
  const foreign = checkForeignFormat(document, dialect, dialects, context);
  const notes = [note && { ...note, source: document.source }, foreign].filter((said) => said !== undefined);
  const { source, file, locate } = document;
  const parsed = withoutRelay({ source, locate, ...(file === undefined ? {} : { file }), ...dialect.parse(document, context) });
  return { dialect, parsed: withTrustedOwner(markMissingCallbacks(parsed, isRunByHost, isCommandLine), reading.owners), notes };
}

/**
 * Reads a file. A broken file (invalid JSON, or not usable as a whole) must not disable a guard. So its last valid content is used, or its
 * usable parts if there was no valid content.
 */
export async function readSettingsFile(
  place: { readonly file: string; readonly source: string },
  required: boolean,
  whose: Whose,
  reading: ReadingOf,
): Promise<ReadSettingsFile> {
  // If the project is the home directory, the project and the user have the same file. So the source is part of the key.
  const key = `${place.source} ${place.file}`;
  return settleDocument(await readDocument(place.file, place.source, required, reading.owners), key, whose, reading);
}

/** Does the same as `readSettingsFile` for a file that was already read. `key` is the file's key in `lastGood`. */
export function settleDocument(result: ReadDocument, key: string, whose: Whose, reading: ReadingOf): ReadSettingsFile {
  if (result.state === 'missing') {
    reading.lastGood.delete(key);
    return { state: 'missing', diagnostics: [] };
  }
  const lastGood = reading.lastGood.get(key);
  const kept = () => (lastGood === undefined ? {} : { found: parseDocument(lastGood, whose, reading) });
  if (result.state === 'broken') {
    const diagnostics = lastGood === undefined ? result.diagnostics : markAsKept(result.diagnostics);
    return { state: 'broken', diagnostics, ...kept() };
  }
  const found = parseDocument(result.document, whose, reading);
  if (found.parsed.isUnusable !== true) reading.lastGood.set(key, result.document);
  if (found.parsed.isUnusable !== true || lastGood === undefined) return { state: 'read', diagnostics: result.diagnostics, found };
  // The broken content is not used, so its warnings and notes are not reported.
  const errors = [...result.diagnostics, ...found.parsed.diagnostics].filter((diagnostic) => diagnostic.severity === 'error');
  return { state: 'broken', diagnostics: markAsKept(errors, "The file's"), ...kept() };
}
