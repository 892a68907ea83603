import type { Diagnostic, Dialect, DialectContext, SettingsDocument, SettingsLocation } from '@tenterhook/protocol';
import { getLocations } from '../discover/locations.js';

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
    message: `The format could be ${formatAlternatives([dialect.name, ...others])}; it was read as ${dialect.name}.`,
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

/**
 * The dialects that find something of theirs in a document in which the given one finds nothing, neither an event that is plainly its own nor a
 * hook that would run; none where that one cannot tell. What nobody speaks of is nobody's: an empty file, or a slip in a name, stays that of
 * its place.
 */
export function findForeignDialects(
  document: SettingsDocument,
  dialect: Dialect,
  dialects: readonly Dialect[],
  context: DialectContext,
): readonly Dialect[] {
  if (dialect.eventsIn === undefined || dialect.eventsIn(document.value).length > 0) return [];
  const others = dialects.filter((other) => other !== dialect && (other.eventsIn?.(document.value).length ?? 0) > 0);
  return others.length === 0 || holdsHook(document, dialect, context) ? [] : others;
}

/** A format may read more events than it takes for its own: what other agents brought up. */
function holdsHook(document: SettingsDocument, dialect: Dialect, context: DialectContext): boolean {
  return dialect.parse(document, context).hooks.some(({ skip }) => skip === undefined);
}

/**
 * Says of settings that were read in one format, for their place or because it was named, that they are written in another. They are not read
 * in that one: a file belongs to one format by its place, whatever stands in it (design §4.4). Unsaid, they would be hooks that never fire.
 */
export function checkForeignFormat(
  document: SettingsDocument,
  dialect: Dialect,
  dialects: readonly Dialect[],
  context: DialectContext,
): Diagnostic | undefined {
  const others = findForeignDialects(document, dialect, dialects, context);
  const [other] = others;
  if (other === undefined) return undefined;
  const { source, file } = document;
  const places = placesOf(other, context);
  // Another one reads the same file, and runs its hooks.
  if (others.some((speaker) => placesOf(speaker, context).some((place) => place.source === source && place.file === file)))
    return undefined;
  return {
    code: 'foreign_format',
    severity: 'warning',
    message: `These settings were read as ${dialect.name}, and hold no hook of it; they look like those of ${formatAlternatives(others.map(({ name }) => name))}.`,
    remedy: remedyFor(other.name, places, placesOf(dialect, context), document),
    dialect: dialect.name,
    source,
    ...(file === undefined ? {} : { file }),
  };
}

/** What was given has no place: its source is no level that files are looked for at. A level may be one that the other format does not have. */
function remedyFor(
  name: string,
  places: readonly SettingsLocation[],
  own: readonly SettingsLocation[],
  { source, file }: SettingsDocument,
): string {
  const isFound = own.some((place) => place.source === source && place.file === file);
  const place = places.find((candidate) => candidate.source === source) ?? (isFound ? places[0] : undefined);
  if (place === undefined) return `Name it with dialect: "${name}" (--dialect ${name}).`;
  return `Write them to ${place.file}, where ${name}'s ${place.source === source ? 'of this level' : `of the level "${place.source}"`} are read.`;
}

function placesOf(dialect: Dialect, context: DialectContext): readonly SettingsLocation[] {
  try {
    return getLocations(dialect, context);
  } catch {
    return [];
  }
}

/** Names of which one holds: `a`, `a or b`, `a, b or c`. */
function formatAlternatives(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
