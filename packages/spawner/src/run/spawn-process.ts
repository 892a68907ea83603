import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, win32 } from 'node:path';
import type { Duplex, Readable, Writable } from 'node:stream';
import { type Abortable, wait } from '@tenterhook/runtime/async';

import spawn from 'cross-spawn';

/** A stream of a process: a descriptor, `pipe` for a pipe that Node creates, `inherit` for our own stream, or `ignore`. */
type Stream = number | 'pipe' | 'inherit' | 'ignore';

export interface SpawnRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: readonly [stdin: Stream, stdout: Stream, stderr: Stream];
  /** Whether the process stays in our session and group, so that it can use our terminal. @default false */
  readonly attached?: boolean;
  /** Whether the process gets one end of a socket as descriptor 3. */
  readonly hasSocket?: boolean;
}

/** How a process ended. Exactly one of the two fields is not null. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether the group of the process was empty when it ended. Only lanes report it. */
  readonly isGroupEmpty?: boolean;
}

/** A process that was started. Unless it is attached, it leads its own group, whose number is its pid. */
export interface SpawnedProcess {
  readonly pid: number;
  /**
   * Resolves at the event 'exit'. The event 'close' would wait for every process that has the output open, such as a daemon that the hook
   * left running (decision 29).
   */
  readonly ended: Promise<ProcessEnd>;
  /** Our streams for reading stdout and stderr, if Node created a pipe for them. */
  readonly streams: readonly (Readable | undefined)[];
  /** Our stream for writing stdin, if Node created a pipe for it. */
  readonly stdin?: Writable | undefined;
  /** Our end of the socket, if the process has one. */
  readonly socket?: Duplex | undefined;
  /** Lets our event loop end while the process runs. */
  unref(): void;
}

/** The result of an attempt to start something: the error or the value. */
export type Attempt<Value> = { readonly error: NodeJS.ErrnoException } | Value;

/**
 * Starts one process, and calls `onPid` with its pid synchronously. The only module that imports cross-spawn. Never rejects: a failure is
 * returned as a value, because callers retry some failures.
 */
export async function spawnProcess(
  request: SpawnRequest,
  onPid: (pid: number) => void = () => {},
): Promise<Attempt<{ readonly spawned: SpawnedProcess }>> {
  try {
    // With `detached` the process gets its own session and group, so that the whole tree can be killed (field failure 29).
    const child = spawn(request.file, request.args, {
      cwd: request.cwd,
      env: request.env,
      stdio: request.hasSocket ? [...request.stdio, 'pipe'] : [...request.stdio],
      detached: process.platform !== 'win32' && request.attached !== true,
      windowsHide: request.attached !== true,
    });
    const failed = new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve));
    const { pid } = child;
    // After some failures Node does not throw. Then there is no pid, and an 'error' event follows in the next tick.
    if (pid === undefined) return { error: await failed };
    onPid(pid);
    const ended = new Promise<ProcessEnd>((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
    const streams = [child.stdout ?? undefined, child.stderr ?? undefined];
    const socket = (child.stdio[3] ?? undefined) as Duplex | undefined;
    return { spawned: { pid, ended, streams, stdin: child.stdin ?? undefined, socket, unref: () => child.unref() } };
  } catch (error) {
    return { error: error as NodeJS.ErrnoException };
  }
}

/** Errors that may disappear a moment later: too many processes, no descriptor, no memory, or a program file that is being written. */
const transientCodes = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETXTBSY']);

export function isTransient(error: unknown): boolean {
  return transientCodes.has((error as NodeJS.ErrnoException).code ?? '');
}

/** The pauses between attempts: 10, 20, 40 … 640 ms, then always 640 ms. */
const firstPauseMs = 10;
const longestPauseMs = 640;

/** Milliseconds for all attempts together. The timeout of the job was rejected, because a minute is too long to wait for this failure. */
const longestMs = 5000;

/**
 * Repeats an attempt until it succeeds, fails permanently, or the signal aborts. Stops after 5 s, or after the timeout of the job if that
 * is shorter. Always makes the first attempt. Returns the last error.
 */
export async function retryTransient<Value extends object>(
  attempt: () => Promise<Attempt<Value>>,
  timeoutMs: number,
  signal: Abortable,
  pause: (ms: number, signal: Abortable) => Promise<void> = wait,
): Promise<Attempt<Value>> {
  let leftMs = Math.min(longestMs, timeoutMs);
  let pauseMs = firstPauseMs;
  for (;;) {
    const result = await attempt();
    if (!('error' in result) || !isTransient(result.error) || leftMs <= pauseMs || signal.aborted) return result;
    // Adds up the pauses instead of reading a clock. So there is a second attempt even if the event loop was blocked all the time.
    leftMs -= pauseMs;
    await pause(pauseMs, signal);
    if (signal.aborted) return result;
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
}

/** The absolute path of a shell, and its arguments before the text of a command. */
export interface Shell {
  readonly file: string;
  readonly args: readonly string[];
}

export interface ShellSearch {
  readonly platform: NodeJS.Platform;
  /** The environment of our process. The PATH of a hook must not change which shell is used, so the environment of the job is not used. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The PATH that execvp uses if PATH is not set. */
const pathWithoutPath = '/usr/local/bin:/usr/bin:/bin';

/** The bash that was found last, and the PATH on which it was found. */
let lastBash: { readonly path: string | undefined; readonly shell: Shell } | undefined;

/**
 * Returns the shell: `bash` if it is on PATH, else `sh`; PowerShell on Windows (decision 31). Undefined if there is none. A PATH has many
 * directories without bash, and looking into each takes longer than the rest of the start. So the last bash is used again as long as it
 * exists.
 */
export function findShell({ platform, env }: ShellSearch): Shell | undefined {
  if (platform === 'win32') {
    const root = env['SystemRoot'] ?? 'C:\\Windows';
    const file = win32.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
    return isFile(file) ? { file, args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command'] } : undefined;
  }
  const path = env['PATH'];
  if (lastBash?.path === path && lastBash !== undefined && canExecute(lastBash.shell.file)) return lastBash.shell;
  for (const name of ['bash', 'sh']) {
    const file = findOnPath(name, env);
    if (file === undefined) continue;
    const shell = { file, args: ['-c'] };
    if (name === 'bash') lastBash = { path, shell };
    return shell;
  }
  return undefined;
}

/** Returns the absolute path of a program on PATH. Not for Windows. */
export function findOnPath(name: string, env: ShellSearch['env']): string | undefined {
  // Relative and empty entries mean the current directory, where a project could have its own "bash". They are left out.
  const directories = (env['PATH'] || pathWithoutPath).split(delimiter).filter((directory) => directory.startsWith('/'));
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    // accessSync was rejected. It throws for each directory without a bash, and so takes ten times as long.
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true && (found.mode & 0o111) !== 0;
  } catch {
    return false;
  }
}

/** Faster than `isExecutable` for a file that exists, but throws for one that does not. */
function canExecute(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
