import type { Diagnostic, Dialect, DialectContext, SettingsDocument, SettingsLocation } from '@tenterhook/protocol';
import { getLocations } from '../discover/locations.js';
import { readDocument } from './read-document.js';

/** The dialect of a settings document, and a note when the choice is uncertain. */
export interface RecognisedDialect {
  readonly dialect: Dialect;
  readonly note?: Diagnostic;
}

const native = 'llxprt';

/**
 * Recognises the dialect of a document (design §4.4). The first rule that decides counts:
 * 1. the location of the file;
 * 2. its events: the only dialect that has all events that any dialect recognises in it;
 * 3. the dialects that read it without an error; among several, the native one, with a note that names the others.
 * A single event that only one dialect has does not decide: some formats share all of theirs, and one foreign event among them would assign
 * the document to another agent. Environment variables never decide: several products export the variables of others (field failure 89).
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

  // A name may be an event in one dialect and any word in another, such as the name of a hook.
  const able = knowing.length === 0 ? speaking : knowing;
  const valid = able.filter((dialect) => isValidIn(dialect, document, context));
  const candidates = valid.length === 0 ? able : valid;
  const fallback = dialects.find((candidate) => candidate.name === native) ?? (dialects[0] as Dialect);
  const dialect = candidates.length === 0 || candidates.includes(fallback) ? fallback : (candidates[0] as Dialect);
  // The note also names dialects that have all events but find an error: the error may be a mistake that other dialects do not notice.
  const possible = knowing.length === 0 ? candidates : knowing;
  const others = possible.filter((candidate) => candidate !== dialect).map((candidate) => candidate.name);
  if (others.length === 0) return { dialect };
  const note: Diagnostic = {
    code: 'ambiguous_dialect',
    severity: 'note',
    message: `The format could be ${formatAlternatives([dialect.name, ...others])}; it was read as ${dialect.name}.`,
    remedy: `If that is wrong, pass dialect: "${others[0]}" (--dialect ${others[0]}).`,
    dialect: dialect.name,
    source: document.source,
    ...(file === undefined ? {} : { file }),
  };
  return { dialect, note };
}

/** The dialects that a file may be written in, by its content alone. All of them if it cannot be read, or if none recognises it. */
export async function dialectsOfFile(file: string, among: readonly Dialect[], context: DialectContext): Promise<readonly Dialect[]> {
  const result = await readDocument(file, 'project', false);
  if (result.state !== 'read') return among;
  const speaking = among.filter((dialect) => dialect.eventsIn?.(result.document.value).length);
  const { file: _file, ...content } = result.document;
  const { dialect, note } = recogniseDialect(content, among, context);
  if (speaking.length === 0) return among;
  return note === undefined ? [dialect] : speaking;
}

function isValidIn(dialect: Dialect, document: SettingsDocument, context: DialectContext): boolean {
  return dialect.parse(document, context).diagnostics.every(({ severity }) => severity !== 'error');
}

/**
 * The dialects that recognise something in a document in which the given dialect finds nothing: neither an event that is clearly its own
 * nor a hook that would run. Empty if the given dialect cannot tell. A document that no dialect recognises, such as an empty file or one
 * with a misspelled name, stays in the dialect of its location.
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

/** A format may read more events than `eventsIn` reports: those that other agents introduced. */
function holdsHook(document: SettingsDocument, dialect: Dialect, context: DialectContext): boolean {
  return dialect.parse(document, context).hooks.some(({ skip }) => skip === undefined);
}

/**
 * A warning for settings that were read in one format, because of their location or a name, but are written in another. They are not read
 * in the other: the location of a file determines its format, whatever its content (design §4.4). Without the warning, their hooks would
 * silently never fire.
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
  // Another dialect reads the same file, and runs its hooks.
  if (others.some((speaker) => placesOf(speaker, context).some((place) => place.source === source && place.file === file)))
    return undefined;
  return {
    code: 'foreign_format',
    severity: 'warning',
    message: `These settings were read as ${dialect.name}, but contain no hooks of that format; they look like ${formatAlternatives(others.map(({ name }) => name))}.`,
    remedy: remedyFor(other.name, places, placesOf(dialect, context), document),
    dialect: dialect.name,
    source,
    ...(file === undefined ? {} : { file }),
  };
}

/**
 * Settings that were passed have no location: their source is not a level that files are looked for at. The other format may lack a level.
 */
function remedyFor(
  name: string,
  places: readonly SettingsLocation[],
  own: readonly SettingsLocation[],
  { source, file }: SettingsDocument,
): string {
  const isFound = own.some((place) => place.source === source && place.file === file);
  const place = places.find((candidate) => candidate.source === source) ?? (isFound ? places[0] : undefined);
  if (place === undefined) return `Pass dialect: "${name}" (--dialect ${name}).`;
  return `Move them to ${place.file}, the ${name} settings ${place.source === source ? 'of this level' : `of the level "${place.source}"`}.`;
}

function placesOf(dialect: Dialect, context: DialectContext): readonly SettingsLocation[] {
  try {
    return getLocations(dialect, context);
  } catch {
    return [];
  }
}

/** Names of which one applies: `a`, `a or b`, `a, b or c`. */
function formatAlternatives(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
