import { longestTimerMs, onAbort } from '@tenterhook/runtime/async';
import { describeValue } from '@tenterhook/runtime/text';
import { mostBytes, requireInteger, requireNumber } from './limits.js';

/**
 * What to run. With `shell`, the text is passed to the shell unchanged, as one argument. The shell is `bash -c` if there is a bash on our
 * PATH, else `sh -c`; on Windows it is PowerShell (decision 31). With `program`, the file is started without a shell, and is searched for
 * in the `PATH` of the job's environment.
 */
export type ProcessCommand =
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] };

/** One process to run. `run()` does not modify the job or its values. The caller must not modify them while `run()` is pending. */
export interface ProcessJob {
  readonly command: ProcessCommand;

  /** Absolute path of the working directory, which must exist. If it is missing, the job is `unrunnable` with the reason `missing_cwd`. */
  readonly cwd: string;

  /**
   * The whole environment. Nothing is inherited, not even `PATH`. The spawner adds `TENTERHOOK_JOB`, the ids of the jobs that our own
   * process runs in, followed by the id of this job. On Linux it finds processes of the job by this variable, even if they have left its
   * process group.
   */
  readonly env: Readonly<Record<string, string>>;

  /**
   * A text that is equal for jobs that do the same. With it, a program that runs inside jobs can find out whether one of them does the same
   * as the job that it is about to start; see `readNesting`. @default none
   */
  readonly jobKind?: string;

  /** The whole standard input, followed by end of file. The process need not read it. */
  readonly stdin: string;

  /**
   * Milliseconds from the start of the process until the job is `timed-out`, a finite number from 1 to 2147483647. The time in the queue is
   * not included. If the system is short of resources (`EAGAIN`, `EMFILE` …), the start is tried again for up to 5 s, and the timeout
   * begins with the first attempt.
   */
  readonly timeoutMs: number;

  /**
   * Whether the job reports that its process read no input (`inputUnread`). This keeps a descriptor open until the process has ended.
   * @default false
   */
  readonly watchesInput?: boolean;

  /** The maximum number of bytes of stdout to keep. Further bytes are counted and discarded. @default `SpawnerLimits.stdoutBytes` */
  readonly stdoutBytes?: number;

  /** The maximum number of bytes of stderr to keep. @default `SpawnerLimits.stderrBytes` */
  readonly stderrBytes?: number;

  /**
   * Milliseconds between SIGTERM and SIGKILL after a timeout or a cancel. With 0, SIGKILL follows at once. @default
   * `SpawnerLimits.killGraceMs`
   */
  readonly killGraceMs?: number;

  /**
   * Cancels the job: a waiting job becomes `not-started`; a running job becomes `cancelled`, and its processes are killed. No effect after
   * the process has exited.
   */
  readonly signal?: AbortSignal;

  /**
   * Called right before the process is started, after the job has waited for its turn. If it returns false or throws, nothing is started.
   * Called again if a start is retried. @default the job starts
   */
  readonly mayStart?: () => boolean;

  /** Called once, when the process has started. If it throws, the job continues and Node prints a warning. */
  readonly onStart?: (info: { readonly pid: number }) => void;

  /**
   * Called with the first line of stdout when it is complete. Before that, it is also called each time the line grows, up to 1 KiB, because
   * its end may never be written. Not called for a line of more than 64 KiB, and never after the job has settled. If it throws, the job
   * continues and Node prints a warning.
   */
  readonly onFirstLine?: (line: FirstLine) => void;
}

/** The first line of a job's stdout, as far as it has been written. */
export interface FirstLine {
  /** The text without its line feed. */
  readonly text: string;

  /** Whether the line is complete. This is then the last call. */
  readonly isComplete: boolean;

  /**
   * Replaces the remaining timeout of the job by `timeoutMs` milliseconds from now. Throws a TypeError unless it is a finite number from 1
   * to 2147483647.
   */
  replaceTimeout(this: void, timeoutMs: number): void;
}

/** The output of a process that has started. */
export interface CapturedOutput {
  /** Id of the process and of its group. The system may reuse it once the group is gone. */
  readonly pid: number;

  /** The kept output, decoded as UTF-8. Invalid sequences become U+FFFD. A byte order mark stays. */
  readonly stdout: string;
  readonly stderr: string;

  /** Bytes written until the job settled, including those that were not kept. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;

  /**
   * Whether more was written than was kept. If the job was stopped, at most 64 KiB are kept. A truncated text ends with a complete
   * character.
   */
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;

  /** Whether stdout or stderr was not valid UTF-8. */
  readonly invalidUtf8: boolean;

  /**
   * The number of processes of the job that still ran when it settled as `exited`. They are not killed (decision 29). If they cannot be
   * counted (not Linux, or thousands of processes), 1 means "at least one". For all other results it is 0, because the processes are
   * killed.
   */
  readonly leftProcesses: number;
}

/** How a job ended. `durationMs` is the time from the start of the process until the job settled, or 0 if no process was started. */
export type ProcessExit =
  /** The process exited. `inputUnread` is set if it read none of its input; only for a job with `watchesInput`. */
  | ({ readonly kind: 'exited'; readonly exitCode: number; readonly durationMs: number; readonly inputUnread?: true } & CapturedOutput)
  /** The process was ended by a signal. The other processes of the job are killed. */
  | ({ readonly kind: 'signalled'; readonly signal: string; readonly durationMs: number } & CapturedOutput)
  /**
   * The job reached its timeout and settled with the output so far. Its processes are killed afterwards (decision 28). `signal` is set if
   * another program had stopped one of them (SIGSTOP and the like). Only known on Linux.
   */
  | ({ readonly kind: 'timed-out'; readonly durationMs: number; readonly signal?: 'SIGSTOP' } & CapturedOutput)
  /**
   * The signal of the job was aborted, or the spawner was disposed, while the job was running. Its processes are killed as after a timeout.
   */
  | ({ readonly kind: 'cancelled'; readonly durationMs: number } & CapturedOutput)
  /** Nothing was started. `overloaded`: more jobs were waiting than `SpawnerLimits.queued`. `refused`: `mayStart` returned false. */
  | { readonly kind: 'not-started'; readonly reason: 'cancelled' | 'disposed' | 'overloaded' | 'refused'; readonly durationMs: 0 }
  /**
   * The job could not be started. `code` is
   * - `missing_command` if the program does not exist;
   * - `invalid_input` if the job contains a NUL byte, or an environment value that is not a string;
   * - `too_nested` if our own process runs in 8 nested jobs;
   * - `spawn_failed` for every other reason.
   *
   * `reason` is more specific: `missing_program`, `invalid_input`, `too_nested`, `missing_cwd`, `missing_shell`, `no_room` (no directory
   * has room for the input), or the errno (`EMFILE`, `EACCES`, `E2BIG` …). `message` names the value and the remedy, but never an
   * environment value.
   */
  | {
      readonly kind: 'unrunnable';
      readonly code: 'missing_command' | 'invalid_input' | 'too_nested' | 'spawn_failed';
      readonly reason: string;
      readonly message: string;
      readonly durationMs: 0;
    };

/**
 * Runs processes. Its promises:
 * - run() always resolves with a value. Only for wrong arguments, such as a `timeoutMs` that is not a number, does it throw a TypeError,
 *   synchronously.
 * - Jobs start in the order of run(), at most `concurrency` at once. They may end in any order.
 * - A job settles when its process has exited, even if other processes still have its output open (decision 29), and at its timeout,
 *   whatever the process does (decision 28).
 * - The output of a job is kept up to a limit, and is not written anywhere else.
 * - dispose() is idempotent, may be called at any time, and never rejects. It resolves when all processes of jobs that were running, killed
 *   or cancelled are gone and the private directory is deleted. Later jobs are `not-started` with the reason `disposed`.
 */
export interface Spawner {
  run(job: ProcessJob): Promise<ProcessExit>;
  /** Number of jobs that have started and have not settled. */
  readonly running: number;
  /** Number of jobs that wait for their turn. */
  readonly queued: number;
  dispose(): Promise<void>;
  /** `dispose()` at the end of a scope: `await using spawner = createSpawner()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Why a job is stopped: its own signal was aborted, or the spawner was disposed. The two have different grace periods. */
export type StopReason = 'cancelled' | 'disposed';

/** The signal that stops one job, whether it waits or runs. It aborts with a `StopReason`; if there are two, with the first one. */
export interface StopSignal extends AbortSignal {
  readonly reason: StopReason;
}

/** Calls back when the job is stopped, or at once if it is stopped already. The returned function cancels the callback. */
export function onStop(signal: StopSignal, callback: (reason: StopReason) => void): () => void {
  if (!signal.aborted) return onAbort(signal, () => callback(signal.reason));
  callback(signal.reason);
  return () => {};
}

/**
 * Throws a TypeError for values that only a mistake in a program can cause. Values that come from settings, and failures of the machine,
 * make the job `unrunnable` instead (see `run/failure.ts`).
 */
export function checkJob(job: ProcessJob): void {
  requireNumber('timeoutMs', job.timeoutMs, 1, longestTimerMs);
  if (job.killGraceMs !== undefined) requireNumber('killGraceMs', job.killGraceMs, 0, longestTimerMs);
  if (job.stdoutBytes !== undefined) requireInteger('stdoutBytes', job.stdoutBytes, 0, mostBytes);
  if (job.stderrBytes !== undefined) requireInteger('stderrBytes', job.stderrBytes, 0, mostBytes);
  requireText('cwd', job.cwd);
  requireText('stdin', job.stdin);
  if (typeof job.env !== 'object' || job.env === null) throw new TypeError(`env must be an object, and is ${describeValue(job.env)}`);
  checkCommand(job.command);
}

function checkCommand(command: ProcessCommand): void {
  switch (command?.kind) {
    case 'shell':
      requireText('command.text', command.text);
      return;
    case 'program':
      requireText('command.file', command.file);
      if (!Array.isArray(command.args)) throw new TypeError(`command.args must be an array, and is ${describeValue(command.args)}`);
      command.args.forEach((arg, index) => {
        requireText(`command.args[${index}]`, arg);
      });
      return;
    default:
      throw new TypeError(`command.kind must be "shell" or "program", and is ${describeValue((command as { kind?: unknown })?.kind)}`);
  }
}

function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string, and is ${describeValue(value)}`);
}
