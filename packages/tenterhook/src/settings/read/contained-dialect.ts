import type {
  CombinedSettings,
  Diagnostic,
  Dialect,
  DialectContext,
  ParsedSettings,
  SettingsDocument,
  SettingsLookalike,
} from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';

const log = createLog('settings');

/** A bug in a dialect loses its own hooks of this document, visibly, and nobody else's. Nothing of the document was accepted. */
export function parseSafely(dialect: Dialect, document: SettingsDocument, context: DialectContext): ParsedSettings {
  try {
    return { ...placeOf(document), ...dialect.parse(document, context) };
  } catch (error) {
    const diagnostics = [{ ...dialectFailed(dialect, error), ...placeOf(document) }];
    return { ...placeOf(document), hooks: [], diagnostics, isUnusable: true };
  }
}

/** The same for the rules across documents. */
export function combineSafely(dialect: Dialect, parsed: readonly ParsedSettings[]): CombinedSettings {
  const all = { hooks: parsed.flatMap((entry) => entry.hooks), off: [], diagnostics: [] };
  try {
    return dialect.combine?.(parsed) ?? all;
  } catch (error) {
    return { hooks: [], off: [], diagnostics: [dialectFailed(dialect, error)] };
  }
}

/** Whether a file is its own; one that cannot tell has none. */
export function claimsSafely(dialect: Dialect, file: string, context: DialectContext): { readonly projectDir?: string } | undefined {
  try {
    return dialect.claims?.(file, context);
  } catch (error) {
    log('claims() of the dialect "%s" threw: %O', dialect.name, error);
    return undefined;
  }
}

/** What a document says in its own spelling; one that cannot tell does not speak of it. */
export function eventsInSafely(dialect: Dialect, value: unknown): readonly string[] {
  try {
    return dialect.eventsIn?.(value) ?? [];
  } catch (error) {
    log('eventsIn() of the dialect "%s" threw: %O', dialect.name, error);
    return [];
  }
}

/** Where an extension may have hooks of its own; one that cannot tell reads none. */
export function extensionFilesSafely(dialect: Dialect, directory: string): readonly string[] {
  try {
    return dialect.extensionFiles?.(directory) ?? [];
  } catch (error) {
    log('extensionFiles() of the dialect "%s" threw: %O', dialect.name, error);
    return [];
  }
}

/** And for what is near the files that are read: nobody loses a hook because a dialect could not look for it. */
export function lookalikesSafely(dialect: Dialect, context: DialectContext): readonly SettingsLookalike[] {
  try {
    return dialect.lookalikes?.(context) ?? [];
  } catch {
    return [];
  }
}

function dialectFailed(dialect: Dialect, error: unknown): Diagnostic {
  const message = `The dialect "${dialect.name}" failed to read the settings, so they do not count (${error instanceof Error ? error.message : String(error)}).`;
  return { code: 'dialect_failed', severity: 'error', message, remedy: 'Report it to the author of the dialect.', dialect: dialect.name };
}

function placeOf({ source, file }: SettingsDocument): { source: string; file?: string } {
  return { source, ...(file === undefined ? {} : { file }) };
}
