import type { Diagnostic, Dialect, DialectContext, ParsedSettings, SettingsDocument } from '@tenterhook/protocol';
import { markMissingCallbacks } from '../checks/missing-callbacks.js';
import { markAsKept, type ReadDocument, readDocument } from './read-document.js';
import { checkForeignFormat, recogniseDialect } from './recognise-dialect.js';

/** A file that was looked for, and its state. */
export interface SettingsFile {
  readonly file: string;
  readonly source: string;
  /** Absent if it is not known: when several formats look for the file, and it is missing or not JSON. */
  readonly dialect?: string;
  readonly state: 'read' | 'missing' | 'broken';
}

/** A document, and what its dialect read from it. */
export interface DialectDocument {
  readonly dialect: Dialect;
  readonly parsed: ParsedSettings;
  /** Notes about the choice of the dialect. */
  readonly notes: readonly Diagnostic[];
}

/** A settings file of a source. `found` is absent when there is nothing to take hooks from. */
export interface ReadSettingsFile {
  readonly state: 'read' | 'missing' | 'broken';
  readonly diagnostics: readonly Diagnostic[];
  readonly found?: DialectDocument;
}

export interface ReadingOf {
  readonly dialects: readonly Dialect[];
  readonly context: DialectContext;
  /** Whether the host runs hooks of a type that only a host can run. @default it runs none */
  readonly isRunByHost?: (type: string) => boolean;
  /** Nothing here is an agent: a hook that only a host can run is in order, and runs elsewhere. @default false */
  readonly isCommandLine?: boolean;
  /** The last state of each file of each source that its dialect accepted as a whole; a broken one keeps it (decision 35). */
  readonly lastGood: Map<string, SettingsDocument>;
}

/** The dialect of a document, as far as its location or the caller determines it. */
export interface Whose {
  readonly known?: Dialect | undefined;
  /** The dialects that it may be written in. @default all */
  readonly among?: readonly Dialect[];
  /** Adds to the document once its dialect is known. @default adds nothing */
  readonly complete?: (document: SettingsDocument, dialect: Dialect) => SettingsDocument;
}

/** Parses a document in the dialect that is known, or recognised. */
export function parseDocument(given: SettingsDocument, { known, among, complete }: Whose, reading: ReadingOf): DialectDocument {
  const { dialects, context, isRunByHost = () => false, isCommandLine = false } = reading;
  const { dialect, note } = known === undefined ? recogniseDialect(given, among ?? dialects, context) : { dialect: known, note: undefined };
  const document = complete?.(given, dialect) ?? given;
  const foreign = checkForeignFormat(document, dialect, dialects, context);
  const notes = [note && { ...note, source: document.source }, foreign].filter((said) => said !== undefined);
  const { source, file, locate } = document;
  const parsed = { source, locate, ...(file === undefined ? {} : { file }), ...dialect.parse(document, context) };
  return { dialect, parsed: markMissingCallbacks(parsed, isRunByHost, isCommandLine), notes };
}

/**
 * Reads a file. If it is not JSON, or its dialect cannot use it as a whole, its last good state counts: garbage in a settings file must not
 * disable a guard. Without a last good state, its usable parts count.
 */
export async function readSettingsFile(
  place: { readonly file: string; readonly source: string },
  required: boolean,
  whose: Whose,
  reading: ReadingOf,
): Promise<ReadSettingsFile> {
  // In the home directory, the project's file and the user's are one.
  const key = `${place.source} ${place.file}`;
  return settleDocument(await readDocument(place.file, place.source, required), key, whose, reading);
}

/** The same for a file that was read; `key` is its name in `lastGood`. */
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
  // This state is not in use, so only its errors are reported: they must be fixed.
  const errors = [...result.diagnostics, ...found.parsed.diagnostics].filter((diagnostic) => diagnostic.severity === 'error');
  return { state: 'broken', diagnostics: markAsKept(errors, "The file's"), ...kept() };
}
