import { accessSync, constants, statSync } from 'node:fs';
import { NoPrivateDirectory } from '../io/private-directory.js';
import type { ProcessExit, ProcessJob } from '../job.js';

export type SpawnFailed = Extract<ProcessExit, { status: 'spawn-failed' }>;

export function spawnFailed(code: string, message: string): SpawnFailed {
  return { status: 'spawn-failed', code, message, durationMs: 0 };
}

/** The kernel says ENOENT for a missing directory and for a missing program alike, so the directory is looked at first; the look costs 6 µs. */
export function findMissingDirectory(cwd: string): SpawnFailed | undefined {
  const advice = 'create it, or run the command in a directory that exists';
  try {
    const found = statSync(cwd, { throwIfNoEntry: false });
    if (found === undefined) return spawnFailed('missing_cwd', `the working directory ${cwd} does not exist: ${advice}`);
    if (!found.isDirectory()) return spawnFailed('missing_cwd', `the working directory ${cwd} is no directory: ${advice}`);
    return undefined;
  } catch (error) {
    return spawnFailed('missing_cwd', `the working directory ${cwd} cannot be looked at (${codeOf(error)}): ${advice}`);
  }
}

export function missingShell(): SpawnFailed {
  return process.platform === 'win32'
    ? spawnFailed('missing_shell', 'there is no PowerShell below %SystemRoot%\\System32: the command needs one')
    : spawnFailed('missing_shell', 'neither bash nor sh is in a directory of PATH: add the directory that holds one, for example /bin');
}

/** What an error of the file system, or of starting, means for this job. `file` is what was to be started, the shell included. */
export function describeFailure(job: ProcessJob, error: unknown, file: string): SpawnFailed {
  if (error instanceof NoPrivateDirectory) return spawnFailed('no_private_directory', error.message);
  const code = codeOf(error);
  // It may have gone since it was looked at.
  const missingDirectory = findMissingDirectory(job.cwd);
  if (missingDirectory !== undefined) return missingDirectory;
  if (code === 'ENOENT' && job.command.kind === 'shell')
    return spawnFailed('missing_shell', `the shell ${file} is gone: try again, or install one`);
  if (code === 'ENOENT') {
    return spawnFailed(
      'missing_program',
      `the program ${file}, or the interpreter that its first line names, was not found: check the name and the PATH of the job`,
    );
  }
  return spawnFailed(code, `${file} could not be started: ${explain(code, job.cwd) ?? (error as Error).message}`);
}

function explain(code: string, cwd: string): string | undefined {
  switch (code) {
    case 'EACCES':
      if (!canEnter(cwd)) return `the working directory ${cwd} may not be entered: check its permissions`;
      return 'permission denied: check that it is a file with the executable bit, on a file system that allows execution';
    case 'E2BIG':
      return 'the command and the environment are too long for the system: move the command into a script, pass data on standard input';
    case 'EAGAIN':
      return 'the system has no room for another process: end some, or raise the limit (ulimit -u)';
    case 'EMFILE':
    case 'ENFILE':
      return 'no file descriptors are left: close some, or raise the limit (ulimit -n)';
    case 'ENOSPC':
      return 'the file system of the private directory is full: free some space, or set TMPDIR to a larger one';
    case 'ENOEXEC':
      return 'it is no program of this machine: check its first line, or run it with its interpreter';
    default:
      return undefined;
  }
}

function canEnter(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? 'unknown';
}
