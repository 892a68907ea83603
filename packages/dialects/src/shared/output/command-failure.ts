import { describeHook, type HookCode, type HookDefinition, type ReadableExit } from '@tenterhook/protocol';

/** The end of a command that ran. */
export type Exited = Extract<ReadableExit, { kind: 'exited' }>;

/** The failure of a command with an exit code other than 0 and 2. The message includes what it printed (decisions 4 and 8). */
export function failedExit(exit: Exited, hook: HookDefinition, relativePaths: string): { code: HookCode; message: string } {
  const { exitCode } = exit;
  const said = exit.stderr.trim() || exit.stdout.trim();
  const detail = said === '' ? '' : `: ${bounded(said)}`;
  const what = describeHook(hook);
  if (exitCode !== 126 && exitCode !== 127)
    return { code: 'exit_code', message: `${what} failed with exit code ${exitCode}${meaningOf(exitCode)}${detail}` };
  const { message, remedy } = commandFailure(exitCode, bounded(commandOf(hook)), exit.stderr, relativePaths);
  const code = exitCode === 127 ? 'missing_command' : 'not_executable';
  return { code, message: `${what} ${message}. ${remedy}${detail}` };
}

function commandOf({ action, id }: HookDefinition): string {
  return action.kind === 'command' ? [action.command, ...(action.args ?? [])].join(' ') : id;
}

/** A script that exits with 1 usually means to deny. For a child that a signal ended, a shell has the code 128 + n, hence "as after". */
function meaningOf(exitCode: number): string {
  if (exitCode === 1) return ' (to deny, exit with 2)';
  return exitCode > 128 && exitCode < 160 ? ` (128 + ${exitCode - 128}, as after signal ${exitCode - 128})` : '';
}

/** Printed text, cut for a message. */
export function bounded(text: string): string {
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}

/** Why a shell could not run a command, and how to fix it. */
export interface CommandFailure {
  /** What happened, without the hook's name and without a full stop. */
  readonly message: string;
  /** What to do. */
  readonly remedy: string;
}

/** The most characters of a line that are parsed: messages of shells are short, and a hook may print any amount. */
const maxLine = 600;

/** Parses stderr after the exit codes 127 (not found) and 126 (found but not executable) of a POSIX shell. */
export function commandFailure(exitCode: 126 | 127, command: string, stderr: string, relativePaths: string): CommandFailure {
  const where = `(exit code ${exitCode}), "${command}"`;
  const line = lastLine(stderr);
  const complaint = readComplaint(line);
  // CR in the spelling of env, of old and new bash, and of a terminal.
  if (/\r|\\r['’]|\^M/.test(line)) return ofCarriageReturn(where, complaint);
  return (
    ofInterpreter(where, command, complaint) ??
    (exitCode === 127 ? notFound(where, complaint, relativePaths) : notExecutable(where, complaint)) ??
    unread(exitCode, where)
  );
}

/** The parts of `bash: line 1: ./a.sh: No such file or directory`. */
interface Complaint {
  readonly speaker: string;
  /** The message has a line number, so the speaker is a script. */
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

function ofCarriageReturn(where: string, complaint: Complaint | undefined): CommandFailure {
  const isBody = complaint?.name.startsWith("$'");
  const script = isBody ? complaint?.speaker : complaint?.reason.includes('bad interpreter') ? complaint.name : undefined;
  return {
    message: `could not run its script ${where}: the lines of the script end with CR LF, and the CR becomes part of a name`,
    remedy: `Convert it: sed -i 's/\\r$//' ${script === undefined ? 'FILE' : quoted(script)}`,
  };
}

/** bash 5.2 prints "required file not found", older versions "bad interpreter", and env the name. All mean the first line of a script. */
function ofInterpreter(where: string, command: string, complaint: Complaint | undefined): CommandFailure | undefined {
  if (complaint === undefined) return undefined;
  const { speaker, name, reason } = complaint;
  // The command has no env, so it is in the first line of a script.
  if (/(?:^|\/)env$/.test(speaker) && !/\benv\s/.test(command) && reason === 'No such file or directory') {
    return {
      message: `could not start its script ${where}: the first line names "${name}", which is not installed`,
      remedy: `Install ${name}, or add its folder to PATH`,
    };
  }
  if (!reason.includes('required file not found') && !reason.includes('bad interpreter')) return undefined;
  return {
    message: `could not start its script ${where}: the interpreter named in the first line of ${name} does not exist`,
    remedy: `If the file was saved with CR LF, convert it: sed -i 's/\\r$//' ${quoted(name)}. Otherwise install the interpreter, or correct the line`,
  };
}

function notFound(where: string, complaint: Complaint | undefined, relativePaths: string): CommandFailure | undefined {
  if (complaint === undefined || !/^(?:command )?not found$|^No such file or directory$/.test(complaint.reason)) return undefined;
  const { speaker, hasLine, name } = complaint;
  // The speaker is the shell where the command is wrong, and the script where a command in the script is.
  const isInScript = hasLine && !/^(?:\/\S*\/)?[a-z]*sh$/.test(speaker);
  return {
    message: isInScript ? `ran ${speaker}, which did not find "${name}" ${where}` : `did not find its command "${name}" ${where}`,
    remedy: name.includes('/') ? `Check the path; ${relativePaths}` : `Install ${name}, or add its folder to PATH`,
  };
}

function notExecutable(where: string, complaint: Complaint | undefined): CommandFailure | undefined {
  if (complaint === undefined) return undefined;
  const { name, reason } = complaint;
  const message = `could not execute its command ${where}: ${name}`;
  if (reason.endsWith('Permission denied'))
    return { message: `${message} is not executable`, remedy: `Make it executable: chmod +x ${quoted(name)}` };
  if (reason.endsWith('Is a directory')) return { message: `${message} is a directory`, remedy: 'Write the path of a program in it' };
  if (!reason.startsWith('cannot execute binary file')) return undefined;
  return {
    message: `${message} is not a program for this machine`,
    remedy: 'Use a program that was built for it, or begin the script with a line such as #!/bin/sh',
  };
}

/** For exit codes without a message, or with one in another language. */
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
  // env prints a second line, with advice for another mistake.
  return (lines.findLast((line) => !/^\S*env: use /.test(line)) ?? '').slice(0, maxLine);
}

/** A file name for a shell command, in quotes only where it needs them. */
function quoted(file: string): string {
  return /^[\w./~+-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
