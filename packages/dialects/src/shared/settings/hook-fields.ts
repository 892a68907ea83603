import type { Diagnostic } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue } from '../text.js';
import type { DocumentPath } from './reporter.js';
import type { EventContext } from './group-format.js';

type Fields = Readonly<Record<string, unknown>>;

/** A field of a hook that is a text. What is none is said and counts as left out. */
export function textField(fields: Fields | undefined, key: string, path: DocumentPath, context: EventContext): string | undefined {
  const value = fields?.[key];
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  const message = `"${key}" is ${formatValue(value)} and not a text; it is ignored.`;
  const remedy = `Write "${key}": "…", or leave it out.`;
  context.reporter.report('invalid_field', 'warning', [...path, key], message, { remedy, eventName: context.eventName });
  return undefined;
}

/** The variables of a hook. What is no text is said and not set. */
export function envField(fields: Fields | undefined, path: DocumentPath, context: EventContext): Record<string, string> {
  const value = fields?.['env'];
  if (value === undefined) return {};
  const { reporter, eventName } = context;
  if (!isPlainObject(value)) {
    reporter.report('invalid_field', 'error', [...path, 'env'], `"env" is ${formatValue(value)} and not an object; it is ignored.`, {
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
      `The variable is ${formatValue(text)} and not a text; it is not set.`,
      {
        remedy: `Write "${key}": "…".`,
        eventName,
      },
    );
    return false;
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** What is wrong with a hook that is no object. `example` is a hook as a remedy shows one. */
export function reportNoObject(value: unknown, path: DocumentPath, context: EventContext, hookId: string, example: string): Diagnostic {
  const message = `The hook is ${formatValue(value)} and not an object; it does not run.`;
  const { reporter, eventName } = context;
  return reporter.report('invalid_hook', 'error', path, message, { remedy: `Write ${example}.`, eventName, hookId });
}

/** What is wrong with the command of a hook; undefined where nothing is. */
export function commandProblem(fields: Fields, path: DocumentPath, context: EventContext, hookId: string): Diagnostic | undefined {
  const { command } = fields;
  if (typeof command === 'string' && command.trim() !== '') return undefined;
  const message =
    command === undefined ? 'The hook has no "command"; it does not run.' : `"command" is ${formatValue(command)}; the hook does not run.`;
  const remedy = 'Write "command": "path/to/script.sh".';
  return context.reporter.report('missing_command', 'error', path, message, { remedy, eventName: context.eventName, hookId });
}
