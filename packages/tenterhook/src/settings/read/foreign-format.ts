import type { Diagnostic, Dialect, DialectContext, SettingsDocument, SettingsLocation } from '@tenterhook/protocol';
import { locationsOf } from '../discover/locations.js';
import { alternatives } from './alternatives.js';

/**
 * The dialects that find something of theirs in a document in which the given one finds nothing, neither an event that is plainly its own nor a
 * hook that would run; none where that one cannot tell. What nobody speaks of is nobody's: an empty file, or a slip in a name, stays that of
 * its place.
 */
export function foreignSpeakers(
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
export function foreignFormat(
  document: SettingsDocument,
  dialect: Dialect,
  dialects: readonly Dialect[],
  context: DialectContext,
): Diagnostic | undefined {
  const others = foreignSpeakers(document, dialect, dialects, context);
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
    message: `These settings were read as ${dialect.name}, and hold no hook of it; they look like those of ${alternatives(others.map(({ name }) => name))}.`,
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
    return locationsOf(dialect, context);
  } catch {
    return [];
  }
}
