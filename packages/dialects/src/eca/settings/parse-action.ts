import type { Diagnostic, DialectContext, HookEventName, SettingsDocument } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { reportMisspelledKeys } from '../../shared/lint/unknown-fields.js';
import { isAbsolute, join, parentOf } from '../../shared/paths.js';
import type { DocumentPath } from '../../shared/settings/reporter.js';
import { timeoutField } from '../../shared/settings/timeout-field.js';
import { shebangOf } from '../../shared/shebang.js';
import { formatValue } from '../../shared/text.js';
import type { EcaHookData } from './hook-data.js';
import type { ParseContext } from './parse-context.js';
import { actionFields, defaultTimeoutMs, hookFields } from './schema.js';

/** The command of an action and its text for users, or the problem that keeps the action from running. */
export interface ReadAction {
  readonly command?: EcaHookData['command'];
  readonly text?: string;
  readonly timeoutMs: number;
  /** The source of the script, e.g. `project`. Missing if the script has the same source as the settings. */
  readonly codeSource?: string;
  readonly problem?: Diagnostic;
}

/** Fields of a hook that have no effect in an action. `type` is left out, because actions have this field too. */
const fieldsOfHooks = Object.keys(hookFields).filter((field) => field !== 'type');

interface ActionContext extends ParseContext {
  readonly eventName: HookEventName;
  readonly hookId: string;
}

export function readAction(value: unknown, path: DocumentPath, context: ActionContext): ReadAction {
  const { reporter, eventName, hookId } = context;
  const about = { eventName, hookId };
  if (!isPlainObject(value)) {
    const message = `The action must be an object, and is ${formatValue(value)}; it does not run.`;
    const remedy = `Write { "type": "shell", "shell": ${typeof value === 'string' ? formatValue(value) : '"…"'} }.`;
    return { timeoutMs: defaultTimeoutMs, problem: reporter.report('invalid_hook', 'error', path, message, { remedy, ...about }) };
  }
  reportMisspelledKeys(value, [...Object.keys(actionFields), ...fieldsOfHooks], path, 'an action', reporter, eventName);
  reportFieldsOfHooks(value, path, context);
  const timeoutMs = timeoutField(value['timeout'], path, { reporter, ...about, defaultMs: defaultTimeoutMs });
  const { type, shell, file } = value;
  if (type !== undefined && type !== 'shell') {
    const message = `The type ${formatValue(type)} is not supported; the action does not run.`;
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
    ? { command: { kind: 'shell', text: written }, text: written, timeoutMs }
    : readFile(written, path, timeoutMs, context);
}

/**
 * Reports fields of the hook inside an action. A misplaced "onError" is dangerous: its author believes that a failure of the guard
 * denies, but the failure is ignored.
 */
function reportFieldsOfHooks(
  value: Readonly<Record<string, unknown>>,
  path: DocumentPath,
  { reporter, eventName, hookId }: ActionContext,
): void {
  for (const field of fieldsOfHooks.filter((name) => value[name] !== undefined)) {
    const message = `"${field}" is a field of the hook; in an action it is ignored.`;
    reporter.report('invalid_field', 'error', [...path, field], message, {
      remedy: 'Move the field next to "actions".',
      eventName,
      hookId,
    });
  }
}

/**
 * Reads the path of a script. A missing script is reported, but the hook stays: the script may exist when the event fires. If the
 * script is still missing then, the hook fails, and `onError: "block"` denies. Dropping the hook was rejected, because everything
 * would then be allowed.
 */
function readFile(written: string, path: DocumentPath, timeoutMs: number, context: ActionContext): ReadAction {
  const { reporter, eventName, hookId } = context;
  const about = { eventName, hookId };
  const place = [...path, 'file'];
  const { file, isThere, tried, isOfWorkspace } = findScript(written, context.document, context.context);
  if (!isThere) {
    const message = `The file ${formatValue(written)} does not exist; looked for ${tried.join(' and ')}. Until it exists, the hook fails.`;
    reporter.report('missing_script', 'error', place, message, { remedy: remedyForScript(written), ...about });
  }
  if (isOfWorkspace) {
    const message = `${formatValue(written)} was not found next to these settings, so ${file} in the workspace runs. A change of the repository can change what this script does.`;
    reporter.report('workspace_script', 'note', place, message, {
      remedy: 'Write its absolute path, or move it next to the settings.',
      ...about,
    });
  }
  const interpreter = isThere ? findLostInterpreter(file, context.context) : undefined;
  if (interpreter !== undefined) {
    const message = `${file} names the interpreter "${interpreter}" but is not executable, so bash runs it.`;
    reporter.report('not_executable', 'warning', place, message, { remedy: `Make it executable: chmod +x ${file}`, ...about });
  }
  const command = isThere ? scriptCommand(file, context.context) : lateScriptCommand(file, context.context);
  return { command, text: file, timeoutMs, ...(isOfWorkspace ? { codeSource: 'project' } : {}) };
}

function remedyForScript(written: string): string {
  if (written.startsWith('$')) return 'Write an absolute path: ~ is expanded in "file", but variables are not.';
  if (/\s/.test(written.trim())) return 'Put the script there. For a command with arguments, write "shell" instead of "file".';
  return 'Put the script there, or write its absolute path.';
}

/** A script that an action names. */
interface Script {
  /** The path of the script. If no script was found, this is the first path that was tried. */
  readonly file: string;
  readonly isThere: boolean;
  readonly tried: readonly string[];
  /** True if the script is in the workspace, but the settings are elsewhere. */
  readonly isOfWorkspace: boolean;
}

/**
 * Finds a script. `~` is the home directory. A relative path is searched first next to the settings file, then in the workspace
 * (decision 55).
 */
function findScript(written: string, document: SettingsDocument, context: DialectContext): Script {
  const { own, inWorkspace } = placesOf(written, document, context);
  const tried = [...new Set([...own, ...inWorkspace])];
  const found = tried.find((place) => context.files.isFile(place));
  const file = found ?? (tried[0] as string);
  const isOfWorkspace = inWorkspace.includes(file) && !own.includes(file) && document.source !== 'project';
  return { file, isThere: found !== undefined, tried, isOfWorkspace };
}

/**
 * Returns the command for an existing script. A script with a shebang and the executable bit runs as a program. bash runs all other
 * scripts, e.g. a script that lost its executable bit when it was copied.
 */
function scriptCommand(file: string, context: DialectContext): EcaHookData['command'] {
  const isProgram = context.files.isExecutable(file) && context.files.head(file, 2) === '#!';
  return isProgram ? { kind: 'program', file, args: [] } : { kind: 'program', file: shellOf(context), args: [file] };
}

/**
 * Returns the command for a script that does not exist yet. At each run the shell looks for the script, and exits with 127 if it is
 * missing. `bash SCRIPT` was rejected: some shells exit with 2 for a missing script, and 2 is a deny.
 */
function lateScriptCommand(file: string, context: DialectContext): EcaHookData['command'] {
  if (context.platform === 'win32') return scriptCommand(file, context);
  const [script, shell] = [file, shellOf(context)].map((text) => `'${text.replaceAll("'", "'\\''")}'`);
  const missing = `[ -f ${script} ] || { printf 'there is no file %s\\n' ${script} >&2; exit 127; }`;
  const asProgram = `[ -x ${script} ] && [ "$(head -c 2 ${script})" = '#!' ] && exec ${script}`;
  return { kind: 'shell', text: `${missing}; ${asProgram}; exec ${shell} ${script}` };
}

/**
 * Returns the interpreter that the first line of a script names, if the script is not executable. bash runs such a script, whatever
 * the line says. Returns undefined if the interpreter is a shell.
 */
function findLostInterpreter(file: string, context: DialectContext): string | undefined {
  if (context.files.isExecutable(file)) return undefined;
  const line = shebangOf(context.files.head(file, 200) ?? '')?.line;
  return line === undefined || /(?:^|[\s/])(?:ba|da|a|k|mk)?sh(?:\s|$)/.test(line) ? undefined : line;
}

function placesOf(
  written: string,
  { file, directory }: SettingsDocument,
  { home, projectDir }: DialectContext,
): { own: readonly string[]; inWorkspace: readonly string[] } {
  if (written === '~' || written.startsWith('~/')) return { own: [home === '' ? written : join(home, written.slice(2))], inWorkspace: [] };
  if (isAbsolute(written)) return { own: [written], inWorkspace: [] };
  const beside = directory ?? (file === undefined ? undefined : parentOf(file));
  return { own: beside === undefined ? [] : [join(beside, written)], inWorkspace: [join(projectDir, written)] };
}

/**
 * Returns the shell for scripts: bash if it is in PATH, otherwise sh. Relative entries of PATH are ignored, because a repository
 * could contain a program named bash there.
 */
function shellOf({ environment, files, platform }: DialectContext): string {
  if (platform === 'win32') return 'bash';
  const folders = (environment['PATH'] ?? '').split(':').filter(isAbsolute);
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((file) => files.isExecutable(file));
  return find('bash') ?? find('sh') ?? 'bash';
}
