import type { Diagnostic, Dialect, DialectContext, ParsedSettings, SettingsDocument } from '@tenterhook/protocol';
import { parseSafely } from './contained-dialect.js';
import { foreignFormat } from './foreign-format.js';
import { readDocument } from './read-document.js';
import { recogniseDialect } from './recognise-dialect.js';

/** A document, and what its dialect made of it. */
export interface DialectDocument {
  readonly dialect: Dialect;
  readonly parsed: ParsedSettings;
  /** What there is to say of which dialect it is. */
  readonly notes: readonly Diagnostic[];
}

/** A settings file of a source. `found` is absent where there is nothing to take hooks from. */
export interface ReadSettingsFile {
  readonly state: 'read' | 'missing' | 'broken';
  readonly diagnostics: readonly Diagnostic[];
  readonly found?: DialectDocument;
}

export interface ReadingOf {
  readonly dialects: readonly Dialect[];
  readonly context: DialectContext;
  /** The last state of each file of each source that its dialect accepted as a whole; a broken one keeps it (decision 35). */
  readonly lastGood: Map<string, SettingsDocument>;
}

/** What a document says, in the dialect it is known to be in, or that it is recognised as. */
export function parseDocument(document: SettingsDocument, known: Dialect | undefined, { dialects, context }: ReadingOf): DialectDocument {
  const { dialect, note } = known === undefined ? recogniseDialect(document, dialects, context) : { dialect: known, note: undefined };
  const foreign = foreignFormat(document, dialect, dialects, context);
  const notes = [note, foreign].filter((said) => said !== undefined);
  return { dialect, parsed: parseSafely(dialect, document, context), notes };
}

/**
 * Reads a file, and takes its last good state where it is no JSON, or JSON that its dialect cannot use as a whole: whoever overwrites a
 * settings file with garbage must not take a guard down. Without a last good state what is left of it counts.
 */
export async function readSettingsFile(
  place: { readonly file: string; readonly source: string },
  required: boolean,
  known: Dialect | undefined,
  reading: ReadingOf,
): Promise<ReadSettingsFile> {
  const { file, source } = place;
  // In the home directory, the project's file and the user's are one.
  const key = `${source} ${file}`;
  const result = await readDocument(file, source, required);
  if (result.state === 'missing') {
    reading.lastGood.delete(key);
    return { state: 'missing', diagnostics: [] };
  }
  const lastGood = reading.lastGood.get(key);
  const kept = () => (lastGood === undefined ? {} : { found: parseDocument(lastGood, known, reading) });
  if (result.state === 'broken') {
    const diagnostics = lastGood === undefined ? result.diagnostics : result.diagnostics.map((entry) => followedBy('Its', entry));
    return { state: 'broken', diagnostics, ...kept() };
  }
  const found = parseDocument(result.document, known, reading);
  if (found.parsed.isUnusable !== true) reading.lastGood.set(key, result.document);
  if (found.parsed.isUnusable !== true || lastGood === undefined) return { state: 'read', diagnostics: result.diagnostics, found };
  // Of what is not in force only the errors are told: they are what has to be mended.
  const errors = [...result.diagnostics, ...found.parsed.diagnostics].filter((diagnostic) => diagnostic.severity === 'error');
  return { state: 'broken', diagnostics: errors.map((entry) => followedBy("The file's", entry)), ...kept() };
}

function followedBy(whose: string, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, message: `${diagnostic.message} ${whose} last good state stays in force.` };
}
