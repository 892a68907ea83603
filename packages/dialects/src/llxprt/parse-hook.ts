import { type Diagnostic, type HookDefinition, isPlainObject } from '@tenterhook/protocol';
import { definitionBase } from '../settings/definition-base.js';
import { invalidSkip } from '../settings/invalid-skip.js';
import { reportMisspelledKeys } from '../settings/misspelled-keys.js';
import { onErrorField } from '../settings/on-error-field.js';
import type { DocumentPath } from '../settings/reporter.js';
import { timeoutField } from '../settings/timeout-field.js';
import { shown } from '../shown.js';
import type { EventContext, GroupContext } from './group-context.js';
import type { LlxprtHookData } from './hook-data.js';
import { defaultTimeoutMs, hookFields } from './settings-schema.js';

/** One hook of a group. An invalid one stays in the list, marked, so that every event it belongs to can say so. */
export function parseHook(value: unknown, index: number, context: GroupContext): HookDefinition {
  const { document, reporter, eventName, groupIndex } = context;
  const path: DocumentPath = ['hooks', eventName, groupIndex, 'hooks', index];
  const fields = isPlainObject(value) ? value : undefined;
  if (fields !== undefined) reportMisspelledKeys(fields, Object.keys(hookFields), path, 'a hook', reporter, eventName);

  const name = textField(fields, 'name', path, context);
  const description = textField(fields, 'description', path, context);
  const last = name ?? `${groupIndex}.${index}`;
  const base = definitionBase({ ...context, last, name, line: document.locate(path)?.line });
  const about = { reporter, eventName, hookId: base.id };
  const problem = context.invalidGroup ?? invalidHook(value, fields, path, context, base.id);
  const command = typeof fields?.['command'] === 'string' ? fields['command'] : '';
  const env = envField(fields, path, context);
  const data: LlxprtHookData = { matcher: context.matcher, sequential: context.sequential, env };
  const skip = problem === undefined ? undefined : invalidSkip(problem);

  return {
    ...base,
    ...(description === undefined ? {} : { description }),
    ...(context.matcherText === undefined ? {} : { matcher: context.matcherText }),
    timeoutMs: timeoutField(fields?.['timeout'], path, { ...about, defaultMs: defaultTimeoutMs }),
    onError: onErrorField(fields?.['onError'], path, about),
    action: { kind: 'command', command },
    // Name and command as a pair, never as one joined text, and the environment with them (decision 22, field failure 59).
    dedupeKey: JSON.stringify([name ?? null, command, Object.entries(env).sort()]),
    ...(skip === undefined ? {} : { skip }),
    dialectData: data,
  };
}

/** What stands for hooks that cannot even be told apart, so that their event knows that something was meant to run. */
export function invalidHookOf(problem: Diagnostic, last: string, context: EventContext): HookDefinition {
  const data: LlxprtHookData = { matcher: { kind: 'all' }, sequential: false, env: {} };
  return {
    ...definitionBase({ ...context, last, line: problem.line }),
    timeoutMs: defaultTimeoutMs,
    onError: 'continue',
    action: { kind: 'command', command: '' },
    skip: invalidSkip(problem),
    dialectData: data,
  };
}

function invalidHook(
  value: unknown,
  fields: Record<string, unknown> | undefined,
  path: DocumentPath,
  context: GroupContext,
  hookId: string,
): Diagnostic | undefined {
  const { reporter, eventName } = context;
  if (fields === undefined) {
    const message = `The hook is ${shown(value)} and not an object; it does not run.`;
    return reporter.report('invalid_hook', 'error', path, message, { remedy: 'Write { "command": "…" }.', eventName, hookId });
  }
  const type = fields['type'];
  if (type !== undefined && type !== 'command') {
    const message = `The type ${shown(type)} is not one that runs here; the hook does not run.`;
    const remedy = 'Write "type": "command", in small letters, or leave it out.';
    return reporter.report('unknown_type', 'error', [...path, 'type'], message, { remedy, eventName, hookId });
  }
  const command = fields['command'];
  if (typeof command !== 'string' || command.trim() === '') {
    const message =
      command === undefined ? 'The hook has no "command"; it does not run.' : `"command" is ${shown(command)}; the hook does not run.`;
    return reporter.report('missing_command', 'error', path, message, {
      remedy: 'Write "command": "path/to/script.sh".',
      eventName,
      hookId,
    });
  }
  return undefined;
}

function textField(fields: Record<string, unknown> | undefined, key: 'name' | 'description', path: DocumentPath, context: GroupContext) {
  const value = fields?.[key];
  if (value === undefined || (typeof value === 'string' && value !== '')) return value as string | undefined;
  const message = `"${key}" is ${shown(value)} and not a text; it is ignored.`;
  const remedy = `Write "${key}": "…", or leave it out.`;
  context.reporter.report('invalid_field', 'warning', [...path, key], message, { remedy, eventName: context.eventName });
  return undefined;
}

function envField(fields: Record<string, unknown> | undefined, path: DocumentPath, context: GroupContext): Record<string, string> {
  const value = fields?.['env'];
  if (value === undefined) return {};
  const { reporter, eventName } = context;
  if (!isPlainObject(value)) {
    reporter.report('invalid_field', 'error', [...path, 'env'], `"env" is ${shown(value)} and not an object; it is ignored.`, {
      remedy: 'Write { "NAME": "value" }.',
      eventName,
    });
    return {};
  }
  const entries = Object.entries(value).filter(([key, text]) => {
    if (typeof text === 'string') return true;
    reporter.report('invalid_field', 'error', [...path, 'env', key], `The variable is ${shown(text)} and not a text; it is not set.`, {
      remedy: `Write "${key}": "…".`,
      eventName,
    });
    return false;
  });
  return Object.fromEntries(entries) as Record<string, string>;
}
