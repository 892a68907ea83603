import { type Diagnostic, type HookEventName, isPlainObject } from '@tenterhook/protocol';
import { reportMisspelledKeys } from '../settings/misspelled-keys.js';
import type { DocumentPath } from '../settings/reporter.js';
import { timeoutField } from '../settings/timeout-field.js';
import { shown } from '../shown.js';
import { findScript, scriptCommand } from './action-file.js';
import type { EcaHookData } from './hook-data.js';
import type { ParseContext } from './parse-context.js';
import { actionFields, defaultTimeoutMs } from './settings-schema.js';

/** An action as it is run and as it is shown, or why it cannot run. */
export interface ReadAction {
  readonly command?: EcaHookData['command'];
  readonly shown?: string;
  readonly timeoutMs: number;
  readonly problem?: Diagnostic;
}

interface ActionContext extends ParseContext {
  readonly eventName: HookEventName;
  readonly hookId: string;
}

export function readAction(value: unknown, path: DocumentPath, context: ActionContext): ReadAction {
  const { reporter, eventName, hookId } = context;
  const about = { eventName, hookId };
  if (!isPlainObject(value)) {
    const message = `The action is ${shown(value)} and not an object; it does not run.`;
    const remedy = `Write { "type": "shell", "shell": ${typeof value === 'string' ? shown(value) : '"…"'} }.`;
    return { timeoutMs: defaultTimeoutMs, problem: reporter.report('invalid_hook', 'error', path, message, { remedy, ...about }) };
  }
  reportMisspelledKeys(value, Object.keys(actionFields), path, eventName, reporter);
  const timeoutMs = timeoutField(value['timeout'], path, { reporter, ...about, defaultMs: defaultTimeoutMs });
  const { type, shell, file } = value;
  if (type !== undefined && type !== 'shell') {
    const message = `The type ${shown(type)} is not one that runs here; the action does not run.`;
    const problem = reporter.report('unknown_type', 'error', [...path, 'type'], message, { remedy: 'Write "type": "shell".', ...about });
    return { timeoutMs, problem };
  }
  if ((shell === undefined) === (file === undefined)) {
    const message = `The action has ${shell === undefined ? 'neither "shell" nor' : 'both "shell" and'} "file"; it does not run.`;
    const remedy = 'Write the command in "shell", or the path of a script in "file".';
    return { timeoutMs, problem: reporter.report('missing_command', 'error', path, message, { remedy, ...about }) };
  }
  const [field, written] = shell === undefined ? (['file', file] as const) : (['shell', shell] as const);
  if (typeof written !== 'string' || written.trim() === '') {
    const message = `"${field}" is ${shown(written)}; the action does not run.`;
    const remedy = `Write "${field}": "…".`;
    return { timeoutMs, problem: reporter.report('missing_command', 'error', [...path, field], message, { remedy, ...about }) };
  }
  return field === 'shell'
    ? { command: { kind: 'shell', text: written }, shown: written, timeoutMs }
    : readFile(written, path, timeoutMs, context);
}

function readFile(written: string, path: DocumentPath, timeoutMs: number, context: ActionContext): ReadAction {
  const found = findScript(written, context.document, context.context);
  if ('file' in found) return { command: scriptCommand(found.file, context.context), shown: found.file, timeoutMs };
  const { reporter, eventName, hookId } = context;
  const message = `There is no file ${shown(written)}; it was looked for as ${found.tried.join(' and ')}. The action does not run.`;
  const remedy = 'Put the script there, or write its absolute path.';
  const problem = reporter.report('missing_script', 'error', [...path, 'file'], message, { remedy, eventName, hookId });
  return { shown: written, timeoutMs, problem };
}
