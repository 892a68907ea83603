import type { Diagnostic, Dialect, DialectContext, SettingsDocument, SettingsLocation } from '@tenterhook/protocol';
import { eventsInSafely } from './contained-dialect.js';
import { locationsOf } from './places.js';

/**
 * The dialects that find something of theirs in a document in which the given one finds nothing; none where that one cannot tell. What nobody
 * speaks of is nobody's: an empty file, or a slip in a name, stays that of its place.
 */
export function foreignSpeakers(document: SettingsDocument, dialect: Dialect, dialects: readonly Dialect[]): readonly Dialect[] {
  if (dialect.eventsIn === undefined || eventsInSafely(dialect, document.value).length > 0) return [];
  return dialects.filter((other) => other !== dialect && eventsInSafely(other, document.value).length > 0);
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
  const [other] = foreignSpeakers(document, dialect, dialects);
  if (other === undefined) return undefined;
  const { source, file } = document;
  const places = placesOf(other, source, context);
  // Both read it, and the other one runs its hooks.
  if (places.some((place) => place.file === file)) return undefined;
  const [place] = places;
  return {
    code: 'foreign_format',
    severity: 'warning',
    message: `These settings were read as ${dialect.name}, and hold no hook of it; they look like those of ${other.name}.`,
    remedy:
      place === undefined
        ? `Name it with dialect: "${other.name}" (--dialect ${other.name}).`
        : `Write them to ${place.file}, where ${other.name}'s of this level are read.`,
    dialect: dialect.name,
    source,
    ...(file === undefined ? {} : { file }),
  };
}

/** What was given has none: its source is no level that files are looked for at. */
function placesOf(dialect: Dialect, source: string, context: DialectContext): readonly SettingsLocation[] {
  try {
    return locationsOf(dialect, context).filter((location) => location.source === source);
  } catch {
    return [];
  }
}
