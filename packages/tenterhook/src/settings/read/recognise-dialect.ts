import type { Diagnostic, Dialect, DialectContext, SettingsDocument, SettingsLocation } from '@tenterhook/protocol';
import { getLocations } from '../discover/locations.js';
import { readDocument } from './read-document.js';

/** The dialect of a settings document, and a note if the choice is uncertain. */
export interface RecognisedDialect {
  readonly dialect: Dialect;
  readonly note?: Diagnostic;
}

const native = 'llxprt';

/**
 * Determines the dialect of a document (design §4.4). The first of these rules that finds exactly one dialect decides:
 * 1. The location of the file.
 * 2. Its events. Names that no dialect knows are left out. If exactly one dialect knows all others, it is that dialect.
 * 3. Its validity. If exactly one dialect reads the document without an error, it is that dialect.
 *
 * If several dialects are left, LLxprt Code's is chosen if it is one of them, else the first one. A note names the others.
 *
 * A single event that only one dialect has is not enough. Some formats share most events, and one foreign event would assign the document
 * to another agent. Environment variables are ignored, because several products export the variables of others (field failure 89).
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

  // If some dialects know an event of the document, only these dialects are considered. In other dialects, the same name may be something
  // else, such as the name of a hook.
  const able = knowing.length === 0 ? speaking : knowing;
  const valid = able.filter((dialect) => isValidIn(dialect, document, context));
  const candidates = valid.length === 0 ? able : valid;
  const fallback = dialects.find((candidate) => candidate.name === native) ?? (dialects[0] as Dialect);
  const dialect = candidates.length === 0 || candidates.includes(fallback) ? fallback : (candidates[0] as Dialect);
  // The note also names dialects that know all events but find an error. The error may be a mistake that the chosen dialect does not
  // notice.
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

/**
 * Returns the dialects that recognise the content of a file. Returns all of them if the file cannot be read, or if no dialect recognises
 * it.
 */
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
 * Returns the other dialects that recognise events in a document, if the given dialect finds nothing in it. "Nothing" means neither an
 * event that is clearly its own, nor a hook that would run. Returns an empty list
 * - if the given dialect finds something, or cannot recognise events;
 * - if no dialect recognises the document (empty, or a misspelled event). The document then keeps the dialect of its location.
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

/**
 * Tests whether the dialect reads a hook that would run. `eventsIn` is not enough: it does not return events of other agents, and a format
 * may read these too.
 */
function holdsHook(document: SettingsDocument, dialect: Dialect, context: DialectContext): boolean {
  return dialect.parse(document, context).hooks.some(({ skip }) => skip === undefined);
}

/**
 * Returns a warning for settings that were read in one format but are written in another. The location of a file determines its format
 * (design §4.4), so they are not read in the other one. Without the warning, their hooks would silently never run.
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
  // If another dialect reads the same file and runs its hooks, there is nothing to warn about.
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
 * Returns the remedy. It names a file if the other format has one for the same source, e.g. the project. Settings that a program passed
 * have no such file.
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

/** Lists names as alternatives: `a`, `a or b`, `a, b or c`. */
function formatAlternatives(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
