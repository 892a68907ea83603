import { type Diagnostic, type HookDefinition, type HookEventName, hookIdOf, isHookEventName } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { reportMisspelledKeys } from '../../shared/lint/unknown-fields.js';
import { definitionBase, invalidSkip } from '../../shared/settings/definition-base.js';
import { modeField, onErrorField, recheckField, textField } from '../../shared/settings/hook-fields.js';
import { formatMisspelled, misspelledEvent, sameEvent } from '../../shared/settings/known-event.js';
import type { DocumentPath, Reporter } from '../../shared/settings/reporter.js';
import { formatValue } from '../../shared/text.js';
import { type EcaType, ecaTypes, entryOf, typeOf, typeOfEvent } from '../input/event-table.js';
import { type EcaMatcher, matcherField } from '../matching/matcher.js';
import type { EcaHookData } from './hook-data.js';
import { type ReadAction, readAction } from './parse-action.js';
import type { ParseContext } from './parse-context.js';
import { defaultTimeoutMs, hookFields } from './schema.js';

/**
 * Reads the hook under one key, and returns a definition for each of its actions. An action that cannot run gets a `skip`, so that
 * the results of its event report it.
 */
export function parseHook(key: string, value: unknown, context: ParseContext): HookDefinition[] {
  const { reporter } = context;
  const path: DocumentPath = ['hooks', key];
  reporter.countHook(path);
  if (!isPlainObject(value)) {
    const message = `The hook must be an object, and is ${formatValue(value)}; it does not run.`;
    const remedy = 'Write { "type": "preToolCall", "actions": [ { "type": "shell", "shell": "…" } ] }.';
    reporter.report('invalid_hook', 'error', path, message, { remedy });
    return [];
  }
  const { type, nearest = type, problem: wrongType } = readType(value, path, reporter);
  const eventName = nearest === undefined ? undefined : entryOf(nearest).eventName;
  reportMisspelledKeys(value, [...Object.keys(hookFields), ...fieldsOfActions], path, 'a hook', reporter, eventName);
  // The type is unknown, so the hook belongs to no event whose results could report it.
  if (nearest === undefined || eventName === undefined) return [];
  const onError = onErrorField(value['onError'], path, { reporter, eventName });
  const { actions } = value;
  if (!Array.isArray(actions) || actions.length === 0) {
    const problem = wrongType ?? reportNoActions(value, path, eventName, reporter);
    return [definitionOf({ key, name: key, type: nearest, onError, path, context, problem })];
  }
  reportFieldsOfActions(value, path, eventName, reporter);
  const { text, problem: badMatcher, ...matcher } = matcherField(value['matcher'], path, nearest, reporter);
  const common = {
    hidden: !booleanField(value, 'visible', true, path, nearest, reporter),
    runOnError: booleanField(value, 'runOnError', false, path, nearest, reporter),
    mode: modeField(value['mode'], path, { reporter, eventName }),
    isRechecked: recheckField(value['recheck'], path, { reporter, eventName }) !== false,
    limits: matcher,
    description: textField(value, 'description', path, { ...context, eventName, dialectEvent: nearest }),
    ...(text === undefined ? {} : { matcher: text }),
  };
  return actions.map((action: unknown, index) => {
    const name = actions.length === 1 ? key : `${key}-${index + 1}`;
    const at: DocumentPath = [...path, 'actions', index];
    // The hook was counted before, which included its first action.
    if (index > 0) reporter.countHook(at);
    const hookId = idOf(name, eventName, context);
    const read = readAction(action, at, { ...context, eventName, hookId });
    const problem = wrongType ?? badMatcher ?? read.problem;
    return definitionOf({ key, name, type: nearest, onError, path: at, context, ...common, read, problem });
  });
}

/** Returns a hook that cannot run because of a problem that was found before its fields were read. */
export function invalidHook(
  { key, type, onError }: Pick<Parts, 'key' | 'type' | 'onError'>,
  path: DocumentPath,
  problem: Diagnostic,
  context: ParseContext,
): HookDefinition {
  return definitionOf({ key, name: key, type, onError, path, context, problem });
}

interface Parts {
  readonly key: string;
  readonly name: string;
  readonly type: EcaType;
  readonly onError: 'continue' | 'block';
  readonly path: DocumentPath;
  readonly context: ParseContext;
  readonly hidden?: boolean;
  readonly runOnError?: boolean;
  readonly isRechecked?: boolean;
  readonly mode?: 'resident' | undefined;
  readonly limits?: EcaMatcher;
  readonly description?: string | undefined;
  readonly matcher?: string;
  readonly read?: ReadAction;
  readonly problem: Diagnostic | undefined;
}

function definitionOf(parts: Parts): HookDefinition {
  const { key, name, type, onError, path, context, limits = {}, matcher, runOnError = false, read, problem } = parts;
  const { eventName } = entryOf(type);
  const line = context.document.locate(path)?.line;
  const command = read?.command ?? { kind: 'shell', text: '' };
  const data: EcaHookData = { type, key, runOnError, command, ...limits };
  return {
    ...definitionBase({ ...context, eventName, dialectEvent: type, last: name, name, line, path }),
    ...(matcher === undefined ? {} : { matcher }),
    ...(parts.description === undefined ? {} : { description: parts.description }),
    ...(parts.hidden ? { hidden: true as const } : {}),
    ...(read?.codeSource === undefined ? {} : { codeSource: read.codeSource }),
    timeoutMs: read?.timeoutMs ?? defaultTimeoutMs,
    onError,
    ...(parts.isRechecked === false ? { recheck: false as const } : {}),
    action: { kind: 'command', command: read?.text ?? '', ...(parts.mode && { mode: parts.mode }) },
    ...(problem === undefined ? {} : { skip: invalidSkip(problem) }),
    dialectData: data,
  };
}

function idOf(name: string, eventName: HookEventName, { dialect, document }: ParseContext): string {
  return hookIdOf(dialect, document.source, eventName, name);
}

function reportNoActions(
  value: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  eventName: HookEventName,
  reporter: Reporter,
): Diagnostic {
  const { actions } = value;
  const what =
    actions === undefined
      ? 'The hook has no "actions"'
      : `"actions" must be an array of at least one action, and is ${formatValue(actions)}`;
  // Other agents write the command into the hook itself.
  const [field, text] = Object.entries(value).find(([name]) => ['shell', 'command', 'file'].includes(name)) ?? ['shell', '…'];
  const action = `{ "type": "shell", "${field === 'file' ? 'file' : 'shell'}": ${formatValue(text)} }`;
  return reporter.report('missing_command', 'error', path, `${what}; it does not run.`, {
    remedy: `Write "actions": [ ${action} ].`,
    eventName,
  });
}

/** Fields of an action that users write into the hook by mistake. */
const fieldsOfActions = ['timeout', 'shell', 'file'];

/** Reports fields of an action that are in the hook. Users with only one action often write its timeout there. */
function reportFieldsOfActions(
  value: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  eventName: HookEventName,
  reporter: Reporter,
): void {
  for (const field of fieldsOfActions.filter((name) => value[name] !== undefined)) {
    const message = `"${field}" is a field of an action; next to "actions" it is ignored.`;
    reporter.report('invalid_field', 'warning', [...path, field], message, { remedy: 'Move the field into the action.', eventName });
  }
}

function booleanField(
  value: Readonly<Record<string, unknown>>,
  field: 'visible' | 'runOnError',
  usual: boolean,
  path: DocumentPath,
  type: EcaType,
  reporter: Reporter,
): boolean {
  const written = value[field];
  if (written === undefined) return usual;
  const { eventName } = entryOf(type);
  const place = [...path, field];
  if (typeof written !== 'boolean') {
    const message = `"${field}" must be true or false, and is ${formatValue(written)}; it is ignored.`;
    reporter.report('invalid_field', 'error', place, message, { remedy: `Write "${field}": ${!usual}, or remove it.`, eventName });
    return usual;
  }
  if (field === 'runOnError' && type !== 'postToolCall') {
    const message = `"runOnError" applies only to postToolCall; on ${type} it is ignored.`;
    reporter.report('invalid_field', 'warning', place, message, { remedy: 'Remove it.', eventName });
  }
  return written;
}

const types = Object.keys(ecaTypes) as EcaType[];

/** A type of ECA that corresponds to no event. Its hooks only watch, so no deny is lost. */
const watchingType = 'chatStatusChanged';

/**
 * The type of a hook. For an invalid type, `nearest` is the type that was probably meant, so that the results of its event report
 * the hook.
 */
export interface ReadType {
  readonly type?: EcaType;
  readonly nearest?: EcaType;
  readonly problem?: Diagnostic;
}

export function readType(value: Readonly<Record<string, unknown>>, path: DocumentPath, reporter: Reporter): ReadType {
  const written = value['type'];
  const type = typeOf(written);
  if (type !== undefined) return { type };
  const isWatching = written === watchingType;
  const nearest = typeof written === 'string' && !isWatching ? meantBy(written) : undefined;
  const message =
    written === undefined
      ? 'The hook has no "type", so it never runs.'
      : `Unknown hook type ${formatValue(written)}; the hook does not run.`;
  const known = `${isWatching ? 'ECA has it, but no event of Tenterhook corresponds to it. The other types are' : 'The types are'} ${types.join(', ')}.`;
  const remedy = nearest === undefined ? known : remedyFor(written as string, nearest);
  const place = written === undefined ? path : [...path, 'type'];
  const about = nearest === undefined ? {} : { eventName: entryOf(nearest).eventName };
  const problem = reporter.report('unknown_event', 'error', place, message, { remedy, ...about });
  return { ...(nearest === undefined ? {} : { nearest }), problem };
}

function remedyFor(written: string, nearest: EcaType): string {
  if (sameSpelling(written) !== undefined && !isHookEventName(written)) return `Did you mean "${nearest}"?`;
  const isForeign = sameEvent(written) !== undefined;
  const misspelled = isForeign ? undefined : formatMisspelled(misspelledEvent(written, types), () => nearest);
  return misspelled ?? `Other agents use that name; in this format it is "${nearest}".`;
}

/**
 * Returns the type that an unknown name probably means. Names of other agents are tried before misspellings: other agents call the
 * start of a chat `SessionStart`, which as a misspelling would mean the start of the server.
 */
function meantBy(written: string): EcaType | undefined {
  if (isHookEventName(written)) return typeOfEvent(written);
  const same = sameSpelling(written);
  if (same !== undefined) return same;
  const misspelled = misspelledEvent(written, types);
  if (misspelled !== undefined && misspelled.eventName === undefined) return misspelled.nearest as EcaType;
  const foreign = sameEvent(written)?.eventName ?? misspelled?.eventName;
  return foreign === undefined ? undefined : typeOfEvent(foreign);
}

/** Finds a type whose name differs only in case or separators. */
function sameSpelling(written: string): EcaType | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[_ -]/g, '');
  return types.find((type) => letters(written) === letters(type));
}
