import type { Diagnostic, Dialect, SettingsDocument } from '@tenterhook/protocol';

/** Which dialect wrote a settings document, and what to say about it. */
export interface RecognisedDialect {
  readonly dialect: Dialect;
  readonly note?: Diagnostic;
}

const native = 'llxprt';

/**
 * By the place of the file, else by event names that only one dialect has, else the native one, with a note that names the
 * other candidates (design §4.4). Never by environment variables: several products export each other's (field failure 89).
 */
export function recogniseDialect(document: SettingsDocument, dialects: readonly Dialect[]): RecognisedDialect {
  const { file } = document;
  const byPlace = file === undefined ? undefined : dialects.find((dialect) => dialect.claims?.(file) !== undefined);
  if (byPlace !== undefined) return { dialect: byPlace };

  const spoken = new Map(dialects.map((dialect) => [dialect, dialect.eventsIn?.(document.value) ?? []]));
  const candidates = dialects.filter((dialect) => spoken.get(dialect)?.length);
  const only = candidates.filter((dialect) => spoken.get(dialect)?.some((event) => isOnlyOf(event, dialect, spoken)));
  if (only.length === 1) return { dialect: only[0] as Dialect };

  const fallback = dialects.find((candidate) => candidate.name === native) ?? (dialects[0] as Dialect);
  const dialect = candidates.length === 0 || candidates.includes(fallback) ? fallback : (candidates[0] as Dialect);
  const others = candidates.filter((candidate) => candidate !== dialect).map((candidate) => candidate.name);
  if (others.length === 0) return { dialect };
  const message = `The format could be ${[dialect.name, ...others].join(' or ')}; it was read as ${dialect.name}.`;
  const note: Diagnostic = {
    code: 'ambiguous_dialect',
    severity: 'note',
    message,
    remedy: `Name it with --dialect ${others[0]} if that is wrong.`,
    source: document.source,
    ...(file === undefined ? {} : { file }),
  };
  return { dialect, note };
}

function isOnlyOf(event: string, dialect: Dialect, spoken: ReadonlyMap<Dialect, readonly string[]>): boolean {
  return [...spoken].every(([other, events]) => other === dialect || !events.includes(event));
}
