import { type Diagnostic, eventEntry, type HookEventName } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { formatValue } from '../text.js';
import type { EventContext } from './group-format.js';
import type { DocumentPath, Reporter } from './reporter.js';

type Fields = Readonly<Record<string, unknown>>;

/** Reads a field whose value must be a string. Any other value is reported, and the field counts as missing. */
export function textField(fields: Fields | undefined, key: string, path: DocumentPath, context: EventContext): string | undefined {
  const value = fields?.[key];
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  const message = `"${key}" must be a string, and is ${formatValue(value)}; it is ignored.`;
  const remedy = `Write "${key}": "…", or remove it.`;
  context.reporter.report('invalid_field', 'warning', [...path, key], message, { remedy, eventName: context.eventName });
  return undefined;
}

/** Reads the environment variables of a hook. A value that is not a string is reported, and its variable is left out. */
export function envField(fields: Fields | undefined, path: DocumentPath, context: EventContext): Record<string, string> {
  const value = fields?.['env'];
  if (value === undefined) return {};
  const { reporter, eventName } = context;
  if (!isPlainObject(value)) {
    reporter.report('invalid_field', 'error', [...path, 'env'], `"env" must be an object, and is ${formatValue(value)}; it is ignored.`, {
      remedy: 'Write { "NAME": "value" }.',
      eventName,
    });
    return {};
  }
  const entries = Object.entries(value).filter(([key, text]) => {
    if (typeof text === 'string') return true;
    reporter.report(
      'invalid_field',
      'error',
      [...path, 'env', key],
      `The variable must be a string, and is ${formatValue(text)}; it is not set.`,
      {
        remedy: `Write "${key}": "…".`,
        eventName,
      },
    );
    return false;
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Reports a hook that is not an object. `example` is a hook for the remedy. */
export function reportNoObject(value: unknown, path: DocumentPath, context: EventContext, hookId: string, example: string): Diagnostic {
  const message = `The hook must be an object, and is ${formatValue(value)}; it does not run.`;
  const { reporter, eventName } = context;
  return reporter.report('invalid_hook', 'error', path, message, { remedy: `Write ${example}.`, eventName, hookId });
}

/** Names that users write instead of `command`, by mistake or because other tools use them. They are in lower case. */
const otherCommandNames: ReadonlySet<string> = new Set(['cmd', 'run', 'exec', 'script', 'shell', 'bash', 'commands', 'comand', 'command']);

/** Reports an invalid command of a hook. Returns undefined if the command is valid. */
export function commandProblem(fields: Fields, path: DocumentPath, context: EventContext, hookId: string): Diagnostic | undefined {
  const { command } = fields;
  if (typeof command === 'string' && command.trim() !== '') return undefined;
  const message =
    command === undefined ? 'The hook has no "command"; it does not run.' : `"command" is ${formatValue(command)}; the hook does not run.`;
  const meant = command === undefined ? Object.keys(fields).find((key) => otherCommandNames.has(key.toLowerCase())) : undefined;
  const remedy = meant === undefined ? 'Write "command": "path/to/script.sh".' : `Rename ${formatValue(meant)} to "command".`;
  return context.reporter.report('missing_command', 'error', path, message, { remedy, eventName: context.eventName, hookId });
}

/** Returns the remedy for a type other than `command`, in a format whose hooks are commands. */
export function remedyForType(type: unknown): string {
  return typeof type === 'string' && type.trim().toLowerCase() === 'command'
    ? 'Write "type": "command", in lower case.'
    : 'Hooks of this format are commands: write "type": "command" and a "command".';
}

export const onErrorSchema = z
  .enum(['continue', 'block'])
  .default('continue')
  .describe('What happens if the hook fails or times out: the operation continues (continue) or is denied (block).');

export interface OnErrorContext {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly hookId?: string;
  /** The name of the field in the format. @default 'onError' */
  readonly field?: string;
}

/**
 * Reads `onError`: whether a failure of the hook denies. All formats have this field here, also those of agents without it, so that
 * every guard can deny when it fails.
 */
export function onErrorField(
  value: unknown,
  path: DocumentPath,
  { reporter, eventName, hookId, field = 'onError' }: OnErrorContext,
): 'continue' | 'block' {
  if (value === undefined || value === 'continue') return 'continue';
  if (value === 'block') return 'block';
  const message = `"${field}" is ${formatValue(value)}; if this hook fails, the operation continues.`;
  const remedy = 'Write "continue" or "block".';
  reporter.report('invalid_field', 'error', [...path, field], message, { remedy, eventName, hookId });
  return 'continue';
}

/** The maximum depth and number of values that are searched. Hooks are not nested more deeply, and settings may be large. */
const maxDepth = 6;
const maxValues = 10_000;

/** Searches an unreadable part of the settings for `onError`. Returns `block` if any hook in it has this value. */
export function onErrorIn(value: unknown): 'continue' | 'block' {
  let left = maxValues;
  const asks = (part: unknown, depth: number): boolean => {
    left -= 1;
    if (left < 0 || depth > maxDepth || typeof part !== 'object' || part === null) return false;
    if (!Array.isArray(part) && denies(part as Fields)) return true;
    return Object.values(part).some((inner) => asks(inner, depth + 1));
  };
  return asks(value, 0) ? 'block' : 'continue';
}

/** Tests whether an object has a field with which the failure of a hook denies, in any format. */
function denies({ onError, onFailure, failClosed }: Fields): boolean {
  return onError === 'block' || onFailure === 'block' || failClosed === true;
}

export const recheckSchema = z
  .boolean()
  .default(true)
  .describe(
    'Whether the hook runs again if another hook later rewrites the data of the event. Write false for a hook that never denies or asks, such as a logger.',
  );

/** Reads `recheck`. Returns false if the hook must not run again when another hook rewrites the data, otherwise undefined. */
export function recheckField(value: unknown, path: DocumentPath, { reporter, eventName, hookId }: OnErrorContext): false | undefined {
  if (value === undefined) return undefined;
  const place = [...path, 'recheck'];
  if (typeof value !== 'boolean') {
    const message = `"recheck" must be true or false, and is ${formatValue(value)}; the default, true, is used.`;
    reporter.report('invalid_field', 'error', place, message, { remedy: 'Write "recheck": false, or remove it.', eventName, hookId });
    return undefined;
  }
  const { rechecks, redacts } = eventEntry(eventName);
  if (rechecks === true || redacts === true) return value ? undefined : value;
  const message = `"recheck" is ignored on ${eventName}: hooks run again only on events whose data other hooks can rewrite.`;
  reporter.report('invalid_field', 'warning', place, message, { remedy: 'Remove it.', eventName, hookId });
  return undefined;
}

export const modeSchema = z
  .enum(['cold', 'resident'])
  .default('cold')
  .describe(
    'How the command runs: a process for each event (cold), or one process that stays alive and answers many events by lines of JSON (resident).',
  );

/** Reads `mode`. Returns `resident` if one process answers many events. `problem` is why the hook cannot be resident, if there is a reason. */
export function modeField(
  value: unknown,
  path: DocumentPath,
  { reporter, eventName, hookId }: OnErrorContext,
  problem?: string,
): 'resident' | undefined {
  if (value === undefined || value === 'cold') return undefined;
  const place = [...path, 'mode'];
  if (value !== 'resident') {
    const message = `"mode" is ${formatValue(value)}; each event starts a process of its own.`;
    reporter.report('invalid_field', 'error', place, message, { remedy: 'Write "resident" or "cold".', eventName, hookId });
    return undefined;
  }
  if (problem === undefined) return value;
  const message = `"mode" is ignored, because ${problem}; each event starts a process of its own.`;
  reporter.report('invalid_field', 'warning', place, message, { remedy: 'Remove "mode".', eventName, hookId });
  return undefined;
}

/**
 * Reads a field that makes a hook asynchronous. `whyNot` is why the hook cannot be asynchronous, if there is a reason. It follows the name
 * of the field in the message.
 */
export function asyncField(
  field: string,
  value: unknown,
  whyNot: string | undefined,
  path: DocumentPath,
  { reporter, eventName, hookId }: OnErrorContext,
): boolean {
  if (value === undefined || value === false) return false;
  if (value === true && whyNot === undefined) return true;
  const [severity, message] =
    value === true
      ? (['warning', `"${field}" ${whyNot}; it is ignored.`] as const)
      : (['error', `"${field}" must be true or false, and is ${formatValue(value)}; it is ignored.`] as const);
  reporter.report('invalid_field', severity, [...path, field], message, { remedy: 'Remove it.', eventName, hookId });
  return false;
}

/** Reads `sequential` of a group. If it is true, all hooks of the event run one after another. */
export function sequentialField(value: unknown, path: DocumentPath, { eventName, reporter }: EventContext): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true;
  const message = `"sequential" must be true or false, and is ${formatValue(value)}; it is ignored.`;
  const remedy = 'Write "sequential": true.';
  reporter.report('invalid_field', 'error', [...path, 'sequential'], message, { remedy, eventName });
  return false;
}
