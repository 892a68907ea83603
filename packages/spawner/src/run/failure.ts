import { accessSync, constants, statSync } from 'node:fs';
import { codeOf } from '@tenterhook/runtime/text';
import { NoRoom } from '../io/private-directory.js';
import type { ProcessExit, ProcessJob } from '../job.js';
import { jobVariable, readNesting } from '../kill/nesting.js';

export type Unrunnable = Extract<ProcessExit, { kind: 'unrunnable' }>;

/** Codes of certain reasons. All other reasons have the code `spawn_failed`. */
const codes: Readonly<Record<string, Unrunnable['code']>> = {
  missing_program: 'missing_command',
  invalid_input: 'invalid_input',
  too_nested: 'too_nested',
};

export function unrunnable(reason: string, message: string): Unrunnable {
  return { kind: 'unrunnable', code: codes[reason] ?? 'spawn_failed', reason, message, durationMs: 0 };
}

/**
 * Finds values that cannot be passed to a process: a text with a NUL byte, and an environment value that is not a text. Without this check,
 * Node would throw for a NUL byte, and would turn other values into "undefined" or drop the variable. The message names variables, but
 * never their values, which may be secrets.
 */
export function findInvalidInput(job: ProcessJob): Unrunnable | undefined {
  if (job.cwd.includes('\0')) return unrunnable('missing_cwd', 'the working directory contains a NUL byte: remove it');
  const problem = describeInvalidInput(job);
  return problem === undefined ? undefined : unrunnable('invalid_input', problem);
}

function describeInvalidInput({ command, env }: ProcessJob): string | undefined {
  if (command.kind === 'shell') {
    if (command.text.includes('\0')) return 'the command contains a NUL byte: remove it, or write \\0 for a program that reads escapes';
  } else {
    if (command.file === '') return 'the name of the program is empty: name one';
    const place = [command.file, ...command.args].findIndex((text) => text.includes('\0'));
    if (place >= 0) return `${place === 0 ? 'the name of the program' : `argument ${place}`} contains a NUL byte: remove it`;
  }
  if (validEnvironments.has(env)) return undefined;
  const problem = describeInvalidVariable(env);
  if (problem === undefined && Object.isFrozen(env)) validEnvironments.add(env);
  return problem;
}

/** Environments that are valid and cannot change. The engine passes the same frozen object again and again. */
const validEnvironments = new WeakSet<ProcessJob['env']>();

function describeInvalidVariable(env: ProcessJob['env']): string | undefined {
  for (const [name, value] of Object.entries(env) as [string, unknown][]) {
    if (name.includes('\0')) return `the environment variable ${JSON.stringify(name)} has a NUL byte in its name: remove it`;
    if (typeof value !== 'string')
      return `the environment variable ${name} must be a string, and is a ${typeof value}: write a string, or leave it out`;
    if (value.includes('\0')) return `the value of the environment variable ${name} contains a NUL byte: remove it`;
  }
  return undefined;
}

/**
 * Checks the working directory before the start. The kernel would report ENOENT both for a missing directory and for a missing program. The
 * check takes 6 µs.
 */
export function findMissingDirectory(cwd: string): Unrunnable | undefined {
  // This check takes a third of the time of `stat`, and a path with this end must be a directory.
  if (canEnter(`${cwd}/.`)) return undefined;
  const advice = 'create it, or run the command in a directory that exists';
  try {
    const found = statSync(cwd, { throwIfNoEntry: false });
    if (found === undefined) return unrunnable('missing_cwd', `the working directory ${cwd} does not exist: ${advice}`);
    if (!found.isDirectory()) return unrunnable('missing_cwd', `the working directory ${cwd} is not a directory: ${advice}`);
    return undefined;
  } catch (error) {
    return unrunnable('missing_cwd', `the working directory ${cwd} cannot be checked (${errnoOf(error)}): ${advice}`);
  }
}

/** The maximum depth of nested jobs. Without a limit, a hook that starts an agent with the same hook would start processes without end. */
const mostNested = 8;

export function findTooNested(): Unrunnable | undefined {
  const { depth } = readNesting();
  if (depth < mostNested) return undefined;
  const remedy = `if the agent does not run in a hook, unset ${jobVariable}`;
  return unrunnable('too_nested', `the agent runs inside ${depth} nested hooks, and the limit is ${mostNested}: ${remedy}`);
}

export function missingShell(): Unrunnable {
  return process.platform === 'win32'
    ? unrunnable('missing_shell', 'PowerShell was not found below %SystemRoot%\\System32, and the command needs it')
    : unrunnable('missing_shell', 'neither bash nor sh is in a directory of PATH: add a directory that contains one, for example /bin');
}

/** Converts an error of the file system or of the start to the result of the job. `file` is the program or the shell to start. */
export function describeFailure(job: ProcessJob, error: unknown, file: string): Unrunnable {
  if (error instanceof NoRoom) return noRoom(job, error);
  const errno = errnoOf(error);
  // The directory may have been removed since it was checked.
  const missingDirectory = findMissingDirectory(job.cwd);
  if (missingDirectory !== undefined) return missingDirectory;
  if (errno === 'ENOENT' && job.command.kind === 'shell')
    return unrunnable('missing_shell', `the shell ${file} no longer exists: try again, or install one`);
  if (errno === 'ENOENT') {
    return unrunnable(
      'missing_program',
      `the program ${file}, or the interpreter that its first line names, was not found: check the name and the PATH of the job`,
    );
  }
  return unrunnable(errno, `${file} could not be started: ${explain(errno, job.cwd) ?? (error as Error).message}`);
}

function noRoom({ stdin }: ProcessJob, { message }: NoRoom): Unrunnable {
  const size = stdin.length < 1_000_000 ? '' : ` of ${Math.round(stdin.length / 1_000_000)} MB`;
  const remedy = 'free some space, or set XDG_RUNTIME_DIR or TMPDIR to a directory of yours with enough';
  return unrunnable('no_room', `there is no room for its input${size} (${message}): ${remedy}`);
}

function explain(errno: string, cwd: string): string | undefined {
  switch (errno) {
    case 'EACCES':
      if (!canEnter(cwd)) return `the working directory ${cwd} cannot be entered: check its permissions`;
      return 'permission denied: check that it is a file with the executable bit, on a file system that allows execution';
    case 'E2BIG':
      return 'the command and the environment are too long for the system: move the command into a script, or pass data on standard input';
    case 'EAGAIN':
      return 'the system has no room for another process: end some, or raise the limit (ulimit -u)';
    case 'EMFILE':
    case 'ENFILE':
      return 'no file descriptors are left: close some, or raise the limit (ulimit -n)';
    case 'ENOEXEC':
      return 'it is not a program for this machine: check its first line, or run it with its interpreter';
    default:
      return undefined;
  }
}

export function canEnter(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function errnoOf(error: unknown): string {
  return String(codeOf(error) ?? 'unknown');
}
