import type { Diagnostic, HookEventName } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { reportMisspelledKeys } from '../shared/lint/unknown-fields.js';
import type { DocumentPath } from '../shared/settings/reporter.js';
import { timeoutField } from '../shared/settings/timeout-field.js';
import { formatValue } from '../shared/text.js';
import { findScript, lateScriptCommand, lostInterpreter, scriptCommand } from './action-file.js';
import type { EcaHookData } from './hook-data.js';
import type { ParseContext } from './parse-context.js';
import { actionFields, defaultTimeoutMs, hookFields } from './settings-schema.js';

/** An action as it is run and as it is formatValue, or why it cannot run. */
export interface ReadAction {
  readonly command?: EcaHookData['command'];
  readonly shown?: string;
  readonly timeoutMs: number;
  /** Whose the script is, where it is not of the source of its settings. */
  readonly codeSource?: string;
  readonly problem?: Diagnostic;
}

/** Fields that stand beside "actions". An action has a type of its own. */
const fieldsOfHooks = Object.keys(hookFields).filter((field) => field !== 'type');

interface ActionContext extends ParseContext {
  readonly eventName: HookEventName;
  readonly hookId: string;
}

export function readAction(value: unknown, path: DocumentPath, context: ActionContext): ReadAction {
  const { reporter, eventName, hookId } = context;
  const about = { eventName, hookId };
  if (!isPlainObject(value)) {
    const message = `The action is ${formatValue(value)} and not an object; it does not run.`;
    const remedy = `Write { "type": "shell", "shell": ${typeof value === 'string' ? formatValue(value) : '"…"'} }.`;
    return { timeoutMs: defaultTimeoutMs, problem: reporter.report('invalid_hook', 'error', path, message, { remedy, ...about }) };
  }
  reportMisspelledKeys(value, [...Object.keys(actionFields), ...fieldsOfHooks], path, 'an action', reporter, eventName);
  reportFieldsOfHooks(value, path, context);
  const timeoutMs = timeoutField(value['timeout'], path, { reporter, ...about, defaultMs: defaultTimeoutMs });
  const { type, shell, file } = value;
  if (type !== undefined && type !== 'shell') {
    const message = `The type ${formatValue(type)} is not one that runs here; the action does not run.`;
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
    const message = `"${field}" is ${formatValue(written)}; the action does not run.`;
    const remedy = `Write "${field}": "…".`;
    return { timeoutMs, problem: reporter.report('missing_command', 'error', [...path, field], message, { remedy, ...about }) };
  }
  return field === 'shell'
    ? { command: { kind: 'shell', text: written }, shown: written, timeoutMs }
    : readFile(written, path, timeoutMs, context);
}

/** Above all "onError": a guard that seems to be closed, and is open, is the worst of slips. */
function reportFieldsOfHooks(
  value: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  { reporter, eventName, hookId }: ActionContext,
): void {
  for (const field of fieldsOfHooks.filter((name) => value[name] !== undefined)) {
    const message = `"${field}" is a field of the hook; within an action it is ignored.`;
    reporter.report('invalid_field', 'error', [...path, field], message, { remedy: 'Move it beside "actions".', eventName, hookId });
  }
}

/**
 * A script that is missing is said, and is run all the same: it may be there by then, and where it is not, the hook has failed, which
 * `onError` can close. Left out, it would open what it guards.
 */
function readFile(written: string, path: DocumentPath, timeoutMs: number, context: ActionContext): ReadAction {
  const { reporter, eventName, hookId } = context;
  const about = { eventName, hookId };
  const place = [...path, 'file'];
  const { file, isThere, tried, isOfWorkspace } = findScript(written, context.document, context.context);
  if (!isThere) {
    const message = `There is no file ${formatValue(written)}; it was looked for as ${tried.join(' and ')}. Until it is there, the hook fails.`;
    reporter.report('missing_script', 'error', place, message, { remedy: remedyForScript(written), ...about });
  }
  if (isOfWorkspace) {
    const message = `${formatValue(written)} is a script of the workspace (${file}), and not one beside these settings: what it says is the repository's word.`;
    reporter.report('workspace_script', 'note', place, message, {
      remedy: 'Write its absolute path, or put it beside the settings.',
      ...about,
    });
  }
  const interpreter = isThere ? lostInterpreter(file, context.context) : undefined;
  if (interpreter !== undefined) {
    const message = `${file} asks for "${interpreter}" and is not executable, so bash runs it.`;
    reporter.report('not_executable', 'warning', place, message, { remedy: `Make it executable: chmod +x ${file}`, ...about });
  }
  const command = isThere ? scriptCommand(file, context.context) : lateScriptCommand(file, context.context);
  return { command, shown: file, timeoutMs, ...(isOfWorkspace ? { codeSource: 'project' } : {}) };
}

function remedyForScript(written: string): string {
  if (written.startsWith('$')) return 'Write an absolute path: variables are not replaced here, only ~ is.';
  if (/\s/.test(written.trim())) return 'Put the script there. For a command with arguments, write "shell" in the place of "file".';
  return 'Put the script there, or write its absolute path.';
}
