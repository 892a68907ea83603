import type { Diagnostic, HookDefinition } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { misplacedHooks } from '../lint/misplaced-hooks.js';
import { formatValue } from '../text.js';
import { type DocumentContext, type EventContext, type GroupFormat, pathOfEvent } from './group-format.js';
import { onErrorIn } from './hook-fields.js';
import type { DocumentPath } from './reporter.js';

/** A place in a list of hooks. */
export interface EntryContext extends EventContext {
  readonly path: DocumentPath;
  /** The end of the hook's id. */
  readonly last: string;
}

/**
 * A format with settings of the form `{ "hooks": { event: [ hook ] } }`. Paths in the document are `['hooks', key, index]`, with the key in
 * the spelling of the format.
 */
export interface EntryFormat
  extends Pick<
    GroupFormat<unknown>,
    'eventOf' | 'meantEvent' | 'remedyForEvent' | 'misplacedPlaces' | 'exampleEvent' | 'isHookLike' | 'invalidHook'
  > {
  /** What happens because of an unknown event, as the end of a sentence. @default 'its hooks never run' */
  readonly unknownEventEffect?: string;
  /** Reads one entry of a list. An invalid hook stays in the list with a `skip`. An entry may have several hooks. */
  readEntry(value: unknown, context: EntryContext): HookDefinition[];
}

/** Reads all hooks of a document. An invalid part does not affect the others. */
export function readEntries(settings: Readonly<Record<string, unknown>>, context: DocumentContext, format: EntryFormat): HookDefinition[] {
  return [...readSection(settings['hooks'], context, format), ...misplacedHooks(settings, context, format)];
}

/** Tests whether "hooks" as a whole has the wrong form. This can happen for a moment while a user edits the file. */
export function isUnusableList(hooks: unknown, { eventOf }: Pick<EntryFormat, 'eventOf'>): boolean {
  if (!isPlainObject(hooks)) return hooks !== undefined;
  return Object.entries(hooks).some(([key, entries]) => eventOf(key) !== undefined && !Array.isArray(entries));
}

function readSection(hooks: unknown, context: DocumentContext, format: EntryFormat): HookDefinition[] {
  const { reporter } = context;
  if (hooks === undefined) return [];
  if (!isPlainObject(hooks)) {
    const remedy = `Write { "${format.exampleEvent}": [ … ] }.`;
    reporter.report('invalid_document', 'error', ['hooks'], `"hooks" must be an object, and is ${formatValue(hooks)}.`, { remedy });
    return [];
  }
  const keys = Object.keys(hooks);
  const isMisplaced = (key: string) => key === 'hooks' && isPlainObject(hooks[key]);
  const unknown = new Set(keys.filter((key) => format.eventOf(key) === undefined && !isMisplaced(key)));
  // All keys are counted before the first one is reported, because the count can stop the reading early.
  for (const key of unknown) reporter.countHook(['hooks', key]);
  return keys.flatMap((key) => {
    const eventName = format.eventOf(key);
    if (eventName !== undefined) return readList(hooks[key], { ...context, eventName, dialectEvent: key }, format);
    if (!unknown.has(key)) return [];
    const effect = format.unknownEventEffect ?? 'its hooks never run';
    reporter.report('unknown_event', 'error', ['hooks', key], `Unknown event ${formatValue(key)}; ${effect}.`, {
      remedy: format.remedyForEvent(key),
    });
    return [];
  });
}

/** Reads all hooks of one event. */
export function readList(
  entries: unknown,
  context: EventContext,
  format: Pick<EntryFormat, 'readEntry' | 'invalidHook'>,
): HookDefinition[] {
  const { eventName, dialectEvent, reporter } = context;
  const path = pathOfEvent(context);
  if (!Array.isArray(entries)) {
    const message = `The hooks of ${dialectEvent} must be an array, and are ${formatValue(entries)}.`;
    const remedy = isPlainObject(entries) ? 'Put the hook in brackets: [ { "command": "…" } ].' : 'Write [ { "command": "…" } ].';
    const problem: Diagnostic = reporter.report('invalid_group', 'error', path, message, { remedy, eventName });
    return [format.invalidHook(problem, `${dialectEvent}.list`, context, onErrorIn(entries))];
  }
  return entries.flatMap((entry, index) => {
    const place = [...path, index];
    reporter.countHook(place);
    return format.readEntry(entry, { ...context, path: place, last: `${dialectEvent}.${index}` });
  });
}
