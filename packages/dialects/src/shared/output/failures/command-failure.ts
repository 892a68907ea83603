import {
  type CommandFindings,
  describeHook,
  eventEntry,
  type HookCode,
  type HookDefinition,
  type ReadableExit,
} from '@tenterhook/protocol';
import { hookLabel } from '@tenterhook/protocol/internal';
import { quote } from '@tenterhook/runtime/text';
import type { AnswerFormat } from '../answer-format.js';
import { commandMistake, emptyVariableMistake } from './command-mistakes.js';

export type Exited = Extract<ReadableExit, { kind: 'exited' }>;

/** What a failure causes: the hook is ignored, the event is denied, or the printed output is still used. */
export type FailureEffect = 'ignored' | 'denies' | 'output counts';

const effects: Readonly<Record<FailureEffect, string>> = {
  ignored: ' and is ignored',
  denies: '',
  'output counts': ', but its output is still used',
};

/**
 * Describes the failure of a command with an exit code other than 0 and 2 (decisions 4 and 8). The message begins with what
 * happened and what to do. Then it shows the command and its output. Only the output is shortened.
 */
export function failedExit(
  exit: Exited,
  hook: HookDefinition,
  format: AnswerFormat,
  effect: FailureEffect,
): { code: HookCode; message: string } {
  const { exitCode } = exit;
  const said = exit.stderr.trim() || exit.stdout.trim();
  const printed = said === '' ? '' : ` It printed: ${bounded(said)}`;
  if (exitCode !== 126 && exitCode !== 127) {
    const what = `${describeHook(hook)} failed with exit code ${exitCode}${meaningOf(exitCode)}${effects[effect]}.`;
    return { code: 'exit_code', message: `${[what, ...adviceFor(exit, hook, format)].join(' ')}${printed}` };
  }
  const command = commandOf(hook);
  const failure = commandFailure(exitCode, command, exit, format.relativePaths);
  // The message begins with the label of the hook. If the hook has no name, the label is the command, which is then not shown a
  // second time.
  const isShown = command === failure.name || command === hookLabel(hook);
  const parts = [
    `${describeHook(hook)} ${failure.message}${effect === 'output counts' ? effects[effect] : ''}.`,
    `${failure.remedy}.`,
    ...(isShown ? [] : [`The command is ${quote(bounded(command.replace(/\s+/g, ' ')))}.`]),
    ...(said === '' ? [] : [`The shell printed: ${bounded(failure.words ?? said)}`]),
  ];
  return { code: exitCode === 127 ? 'missing_command' : 'not_executable', message: parts.join(' ') };
}

/** Returns advice for the exit codes of commands that the shell could run. */
function adviceFor({ exitCode, stdout, stderr, findings }: Exited, hook: HookDefinition, { rejects }: AnswerFormat): string[] {
  // Authors of scripts often intend a deny with any exit code. A process that a signal ended decided nothing, so it gets no such
  // advice.
  const mayDeny = !isOfSignal(exitCode) && (rejects?.(hook) ?? true) && eventEntry(hook.eventName).may.block !== false;
  const wantsTerminal = stderr.includes('/dev/tty') || stdout.includes('/dev/tty');
  const mistake = emptyVariableMistake(commandOf(hook), findings);
  return [
    ...(mayDeny ? ['Exit with 2 to deny.'] : []),
    ...(wantsTerminal ? ['A hook has no terminal: to ask the user, answer with the decision "ask".'] : []),
    ...(mistake === undefined ? [] : [`${mistake}.`]),
  ];
}

function commandOf({ action, id }: HookDefinition): string {
  return action.kind === 'command' ? [action.command, ...(action.args ?? [])].join(' ') : id;
}

/**
 * Returns the meaning of an exit code of 128 + n: signal n ended a child process of the shell. A script may also exit with such a
 * number itself, so the message says "as after signal 9" instead of "after signal 9".
 */
function meaningOf(exitCode: number): string {
  return isOfSignal(exitCode) ? ` (128 + ${exitCode - 128}, as after signal ${exitCode - 128})` : '';
}

function isOfSignal(exitCode: number): boolean {
  return exitCode > 128 && exitCode < 160;
}

/** Shortens printed text for a message. */
export function bounded(text: string): string {
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}

export interface CommandFailure {
  /** What happened, without the hook's name and without a full stop. */
  readonly message: string;
  /** What to do, without a full stop. */
  readonly remedy: string;
  /** The name that the shell did not find or could not execute, if the message contains it. */
  readonly name?: string;
  /** What the shell printed, without the parts that `message` already contains. @default all of it */
  readonly words?: string;
}

/**
 * The maximum number of characters of a line that is parsed. Messages of shells are shorter, but a hook may print a line of any
 * length.
 */
const maxLine = 600;

/** Explains exit code 127 (not found) or 126 (not executable) of a POSIX shell, from its message on stderr. */
export function commandFailure(
  exitCode: 126 | 127,
  command: string,
  { stderr, findings }: Pick<Exited, 'stderr' | 'findings'>,
  relativePaths: string,
): CommandFailure {
  const where = `(exit code ${exitCode})`;
  const line = lastLine(stderr);
  const complaint = readComplaint(line);
  const script = findings?.scripts.find(({ path }) => path === complaint?.name);
  // env, the versions of bash, and terminals show a carriage return in different ways.
  if (/\r|\\r['’]|\^M/.test(line) || script?.firstLine.endsWith('\r')) return ofCarriageReturn(where, complaint, script);
  const failure =
    ofInterpreter(where, command, complaint, script) ??
    (exitCode === 127 ? notFound(where, complaint, relativePaths) : notExecutable(where, complaint)) ??
    unread(exitCode, where);
  const mistake =
    complaint !== undefined && isOfScript(complaint) ? undefined : commandMistake({ command, name: complaint?.name, findings });
  const isOneLine = stderr.trim() === line.trim();
  return {
    ...failure,
    ...(mistake === undefined ? {} : { remedy: mistake }),
    ...(complaint !== undefined && isOneLine && !isOfScript(complaint) ? { words: complaint.reason } : {}),
  };
}

/** The parts of a shell's message such as `bash: line 1: ./a.sh: No such file or directory`. */
interface Complaint {
  readonly speaker: string;
  /** True if the message has a line number, so that it comes from a script. */
  readonly hasLine: boolean;
  readonly name: string;
  readonly reason: string;
}

function readComplaint(line: string): Complaint | undefined {
  const [speaker, ...rest] = line.split(': ');
  const hasLine = /^(?:line )?\d+$/.test(rest[0] ?? '');
  const [name, ...reason] = rest.slice(hasLine ? 1 : 0).filter((part) => part !== 'exec');
  if (speaker === undefined || name === undefined || reason.length === 0) return undefined;
  const bare = name.replace(/^(?:failed to run command|can't execute) /, '').replace(/^['‘](.*)['’]$/, '$1');
  return { speaker, hasLine, name: bare, reason: reason.join(': ') };
}

/**
 * Tests whether the message is about a command inside the script. A message about the script begins with its name. A message about
 * the hook's own command begins with the name of the shell.
 */
function isOfScript({ speaker, hasLine }: Complaint): boolean {
  return hasLine && !/^(?:\/\S*\/)?[a-z]*sh$/.test(speaker);
}

type Script = CommandFindings['scripts'][number];

function ofCarriageReturn(where: string, complaint: Complaint | undefined, found: Script | undefined): CommandFailure {
  const isBody = complaint?.name.startsWith("$'");
  const script = found?.path ?? (isBody ? complaint?.speaker : complaint?.reason.includes('bad interpreter') ? complaint.name : undefined);
  return {
    message: `could not run its script ${where}: the lines of the script end with CR LF, and the CR becomes part of a name`,
    remedy: `Convert the script: sed -i 's/\\r$//' ${script === undefined ? 'FILE' : quoteForShell(script)}`,
  };
}

/**
 * Explains that the interpreter in the first line of a script is missing. The messages differ: bash 5.2 prints "required file not
 * found", older versions "bad interpreter", dash "not found". env prints the name of the interpreter.
 */
function ofInterpreter(
  where: string,
  command: string,
  complaint: Complaint | undefined,
  script: Script | undefined,
): CommandFailure | undefined {
  if (complaint === undefined) return undefined;
  const { speaker, name, reason } = complaint;
  // The hook's command does not contain env, so env is in the first line of a script.
  if (/(?:^|\/)env$/.test(speaker) && !/\benv\s/.test(command) && reason === 'No such file or directory') {
    return {
      message: `could not start its script ${where}: the first line names the interpreter "${name}", which is not installed`,
      remedy: `Install ${name}, add its folder to PATH, or correct the first line`,
    };
  }
  const interpreter = /^#!\s*(\S+)/.exec(script?.firstLine ?? '')?.[1];
  const isOfFirstLine = reason.includes('required file not found') || reason.includes('bad interpreter');
  if (interpreter !== undefined && (isOfFirstLine || reason === 'not found')) {
    return {
      message: `could not start its script ${where}: the first line names the interpreter "${interpreter}", which does not exist`,
      remedy: `Install the interpreter, or correct the first line of ${name}`,
    };
  }
  if (!isOfFirstLine) return undefined;
  return {
    message: `could not start its script ${where}: the interpreter named in the first line of ${name} does not exist`,
    remedy: `If the file was saved with CR LF, convert it: sed -i 's/\\r$//' ${quoteForShell(name)}. Otherwise install the interpreter, or correct the line`,
  };
}

function notFound(where: string, complaint: Complaint | undefined, relativePaths: string): CommandFailure | undefined {
  if (complaint === undefined || !/^(?:command )?not found$|^No such file or directory$/.test(complaint.reason)) return undefined;
  const { speaker, name } = complaint;
  return {
    message: isOfScript(complaint)
      ? `ran ${speaker}, which did not find "${name}" ${where}`
      : `did not find its command "${name}" ${where}`,
    remedy: name.includes('/') ? `Check the path; ${relativePaths}` : `Install ${name}, or add its folder to PATH`,
    name,
  };
}

function notExecutable(where: string, complaint: Complaint | undefined): CommandFailure | undefined {
  if (complaint === undefined) return undefined;
  const { name, reason } = complaint;
  const message = `could not execute its command ${where}`;
  if (reason.endsWith('Permission denied'))
    return { message: `${message}: it is not executable`, remedy: `Make it executable: chmod +x ${quoteForShell(name)}`, name };
  if (reason.endsWith('Is a directory'))
    return { message: `${message}: ${name} is a directory`, remedy: 'Write the path of a program in it', name };
  if (!reason.startsWith('cannot execute binary file')) return undefined;
  return {
    message: `${message}: ${name} is not a program for this machine`,
    remedy: 'Use a program that was built for it, or begin the script with a line such as #!/bin/sh',
    name,
  };
}

/** The shell printed no message, or a message in another language. */
function unread(exitCode: number, where: string): CommandFailure {
  return exitCode === 127
    ? { message: `did not find its command ${where}`, remedy: 'Check the path, or install it and add its folder to PATH' }
    : { message: `could not execute its command ${where}`, remedy: 'Make it executable with chmod +x' };
}

function lastLine(stderr: string): string {
  const lines = stderr
    .slice(-maxLine * 4)
    .trimEnd()
    .split('\n');
  // The last line of env may be advice about another mistake. It is skipped.
  return (lines.findLast((line) => !/^\S*env: use /.test(line)) ?? '').slice(0, maxLine);
}

/** Returns a file name for a shell command, in quotes if it needs them. */
export function quoteForShell(file: string): string {
  return /^[\w./~+-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
