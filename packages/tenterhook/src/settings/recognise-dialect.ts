import type { Diagnostic, Dialect, DialectContext, SettingsDocument } from '@tenterhook/protocol';
import { claimsSafely, eventsInSafely, parseSafely } from './contained-dialect.js';

/** Which dialect wrote a settings document, and what to say about it. */
export interface RecognisedDialect {
  readonly dialect: Dialect;
  readonly note?: Diagnostic;
}

const native = 'llxprt';

/**
 * By the place of the file, else by event names that only one dialect has, else by what can be read without an error, else the native one,
 * with a note that names the other candidates (design §4.4). Never by environment variables: several products export each other's (field
 * failure 89).
 */
export function recogniseDialect(document: SettingsDocument, dialects: readonly Dialect[], context: DialectContext): RecognisedDialect {
  const { file } = document;
  const byPlace = file === undefined ? undefined : dialects.find((dialect) => claimsSafely(dialect, file, context) !== undefined);
  if (byPlace !== undefined) return { dialect: byPlace };

  const spoken = new Map(dialects.map((dialect) => [dialect, eventsInSafely(dialect, document.value)]));
  const speaking = dialects.filter((dialect) => spoken.get(dialect)?.length);
  const only = speaking.filter((dialect) => spoken.get(dialect)?.some((event) => isOnlyOf(event, dialect, spoken)));
  if (only.length === 1) return { dialect: only[0] as Dialect };

  // A name may be an event in one dialect and any word in another: a hook's own name, say.
  const valid = speaking.length < 2 ? speaking : speaking.filter((dialect) => isValidIn(dialect, document, context));
  const candidates = valid.length === 0 ? speaking : valid;
  const fallback = dialects.find((candidate) => candidate.name === native) ?? (dialects[0] as Dialect);
  const dialect = candidates.length === 0 || candidates.includes(fallback) ? fallback : (candidates[0] as Dialect);
  const others = candidates.filter((candidate) => candidate !== dialect).map((candidate) => candidate.name);
  if (others.length === 0) return { dialect };
  const message = `The format could be ${[dialect.name, ...others].join(' or ')}; it was read as ${dialect.name}.`;
  const note: Diagnostic = {
    code: 'ambiguous_dialect',
    severity: 'note',
    message,
    remedy: `Name it with dialect: "${others[0]}" (--dialect ${others[0]}) if that is wrong.`,
    dialect: dialect.name,
    source: document.source,
    ...(file === undefined ? {} : { file }),
  };
  return { dialect, note };
}

function isValidIn(dialect: Dialect, document: SettingsDocument, context: DialectContext): boolean {
  return parseSafely(dialect, document, context).diagnostics.every(({ severity }) => severity !== 'error');
}

function isOnlyOf(event: string, dialect: Dialect, spoken: ReadonlyMap<Dialect, readonly string[]>): boolean {
  return [...spoken].every(([other, events]) => other === dialect || !events.includes(event));
}
