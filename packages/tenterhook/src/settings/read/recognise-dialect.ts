import type { Diagnostic, Dialect, DialectContext, SettingsDocument } from '@tenterhook/protocol';
import { alternatives } from './alternatives.js';

/** Which dialect wrote a settings document, and what to say about it. */
export interface RecognisedDialect {
  readonly dialect: Dialect;
  readonly note?: Diagnostic;
}

const native = 'llxprt';

/**
 * By the place of the file, else by its events: it is that of the one dialect that has all of those that anybody has. Else by what can be read
 * without an error, else the native one, with a note that names the other candidates (design §4.4). Not by a single event that only one dialect
 * has: some formats share all of theirs, and one foreign event among them would make the document another agent's. Never by environment
 * variables: several products export each other's (field failure 89).
 */
export function recogniseDialect(document: SettingsDocument, dialects: readonly Dialect[], context: DialectContext): RecognisedDialect {
  const { file } = document;
  const byPlace = file === undefined ? undefined : dialects.find((dialect) => dialect.claims?.(file, context) !== undefined);
  if (byPlace !== undefined) return { dialect: byPlace };

  const spoken = new Map(dialects.map((dialect) => [dialect, dialect.eventsIn?.(document.value) ?? []]));
  const speaking = dialects.filter((dialect) => spoken.get(dialect)?.length);
  const events = [...spoken.values()].flat();
  const knowing = speaking.filter((dialect) => events.every((event) => spoken.get(dialect)?.includes(event)));
  if (knowing.length === 1) return { dialect: knowing[0] as Dialect };

  // A name may be an event in one dialect and any word in another: a hook's own name, say.
  const able = knowing.length === 0 ? speaking : knowing;
  const valid = able.filter((dialect) => isValidIn(dialect, document, context));
  const candidates = valid.length === 0 ? able : valid;
  const fallback = dialects.find((candidate) => candidate.name === native) ?? (dialects[0] as Dialect);
  const dialect = candidates.length === 0 || candidates.includes(fallback) ? fallback : (candidates[0] as Dialect);
  // Of those that have all its events, also one that finds an error in it is named: the error may be a slip, and then it is silent elsewhere.
  const possible = knowing.length === 0 ? candidates : knowing;
  const others = possible.filter((candidate) => candidate !== dialect).map((candidate) => candidate.name);
  if (others.length === 0) return { dialect };
  const note: Diagnostic = {
    code: 'ambiguous_dialect',
    severity: 'note',
    message: `The format could be ${alternatives([dialect.name, ...others])}; it was read as ${dialect.name}.`,
    remedy: `Name it with dialect: "${others[0]}" (--dialect ${others[0]}) if that is wrong.`,
    dialect: dialect.name,
    source: document.source,
    ...(file === undefined ? {} : { file }),
  };
  return { dialect, note };
}

function isValidIn(dialect: Dialect, document: SettingsDocument, context: DialectContext): boolean {
  return dialect.parse(document, context).diagnostics.every(({ severity }) => severity !== 'error');
}
