import { availableParallelism } from 'node:os';
import { longestTimerMs, onAbort } from '@tenterhook/runtime/async';
import { describeValue } from '@tenterhook/runtime/text';

/**
 * What to run. `shell` text is passed to the shell as one argument and never rewritten: no quoting, no expansion, no prefix. It runs under
 * `bash -c` if there is a bash on our PATH, else `sh -c`; on Windows PowerShell (decision 31). A `program` is started without a shell, from
 * the `PATH` of the job's environment.
 */
export type ProcessCommand =
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] };

/** One process to run. Neither the job nor what it refers to is modified; it must not be modified while `run()` is pending. */
export interface ProcessJob {
  readonly command: ProcessCommand;

  /** Absolute path of an existing directory. If it is missing, the job is `unrunnable` with the reason `missing_cwd`. */
  readonly cwd: string;

  /**
   * The whole environment: nothing is inherited, not even `PATH`. `TENTERHOOK_JOB` is added: an id by which the spawner finds processes of the job
   * that leave its group (on Linux), after the ids of the jobs that our own process runs in.
   */
  readonly env: Readonly<Record<string, string>>;

  /** A text that is equal for jobs that do the same. Jobs within jobs recognise each other by it; see `readNesting`. @default none */
  readonly jobKind?: string;

  /** The whole standard input, followed by end of file. The process need not read it. */
  readonly stdin: string;

  /**
   * Milliseconds from the start of the process to `timed-out`, a finite number from 1 to 2147483647. Time in the queue does not count.
   * If the system is short of resources for a moment (`EAGAIN`, `EMFILE` …), they count from the first attempt to start. Attempts end after 5 s.
   */
  readonly timeoutMs: number;

  /** Report whether the process read its input (`inputUnread`). Keeps a descriptor open until the process has ended. @default false */
  readonly watchesInput?: boolean;

  /** The maximum number of bytes of stdout to keep. The rest is counted and discarded. @default `SpawnerLimits.stdoutBytes` */
  readonly stdoutBytes?: number;

  /** The maximum number of bytes of stderr to keep. @default `SpawnerLimits.stderrBytes` */
  readonly stderrBytes?: number;

  /** Milliseconds between SIGTERM and SIGKILL when the job timed out or was cancelled. 0: SIGKILL follows at once. @default `SpawnerLimits.killGraceMs` */
  readonly killGraceMs?: number;

  /** Cancels the job: a waiting job becomes `not-started`, a running one `cancelled`, and its processes are killed. No effect after its exit. */
  readonly signal?: AbortSignal;

  /** Called once, when the process has started. If it throws, the job continues and Node prints a warning. */
  readonly onStart?: (info: { readonly pid: number }) => void;

  /**
   * Called with the first line of stdout when it is complete, and before that each time it grows, up to 1 KiB: its end may never come.
   * Not called for a line of more than 64 KiB, and never after the job has settled. If it throws, the job continues and Node prints a warning.
   */
  readonly onFirstLine?: (line: FirstLine) => void;
}

/** The first line of a job's stdout, as far as it has been written. */
export interface FirstLine {
  /** Without its line feed. */
  readonly text: string;

  /** The line is complete. This is the last call. */
  readonly isComplete: boolean;

  /** Replaces the rest of the job's timeout: so many milliseconds from now. Throws a TypeError unless it is a finite number from 1 to 2147483647. */
  replaceTimeout(this: void, timeoutMs: number): void;
}

/** The output of a process that has started. */
export interface CapturedOutput {
  /** Id of the process and of its group. The system may reuse it once the group is gone. */
  readonly pid: number;

  /** Decoded as UTF-8 in one piece. Invalid sequences become U+FFFD. A byte order mark stays. */
  readonly stdout: string;
  readonly stderr: string;

  /** Bytes written until it settled, kept or not. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;

  /** More was written than is kept. Of a stopped job at most 64 KiB are kept. The text ends on a whole character. */
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;

  /** stdout or stderr was not valid UTF-8. */
  readonly invalidUtf8: boolean;

  /**
   * Number of processes of the job that still ran when it settled as `exited`, if any of its group did. They are not killed (decision 29). If they
   * cannot be counted (not Linux, thousands of them), 1 means "at least one". 0 for every other end: there the processes are killed.
   */
  readonly leftProcesses: number;
}

/** How a job ended. `durationMs` is the time from the start of the process until the job settled, 0 if no process was started. */
export type ProcessExit =
  /** `inputUnread`: the job was asked to watch its input, and the process read none of it. */
  | ({ readonly kind: 'exited'; readonly exitCode: number; readonly durationMs: number; readonly inputUnread?: true } & CapturedOutput)
  /** Terminated by a signal. The rest of its processes is killed. */
  | ({ readonly kind: 'signalled'; readonly signal: string; readonly durationMs: number } & CapturedOutput)
  /** Settled at the deadline with the output so far. Killing its processes continues afterwards (decision 28). */
  | ({ readonly kind: 'timed-out'; readonly durationMs: number } & CapturedOutput)
  /** Its signal was aborted, or the spawner disposed, while it was running. Its processes are killed as at the deadline. */
  | ({ readonly kind: 'cancelled'; readonly durationMs: number } & CapturedOutput)
  /** `overloaded`: more jobs were waiting than `SpawnerLimits.queued`. */
  | { readonly kind: 'not-started'; readonly reason: 'cancelled' | 'disposed' | 'overloaded'; readonly durationMs: 0 }
  /**
   * It could not be started. `code` is `missing_command` if the program does not exist, `invalid_input` if the job contains a NUL byte or an
   * environment value that is not a string, `too_nested` if our process runs in 8 jobs, each within the one before, else `spawn_failed`. `reason` is
   * more specific: `missing_program`, `invalid_input`, `too_nested`, `missing_cwd`, `missing_shell`, `no_room` (no directory has room for the input),
   * else the errno (`EMFILE`, `EACCES`, `E2BIG` …). `message` names the value and the remedy, but never an environment value.
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
 * - run() always resolves with a value; it throws a TypeError, synchronously, only for wrong arguments (a `timeoutMs` that is not a number …);
 * - jobs start in the order of run(), at most `concurrency` at once; they may end in any order;
 * - a job settles when its process has exited, not when the last process that holds its output is gone (decision 29), and at its deadline whatever the process does (decision 28);
 * - the output that is kept of a job is bounded, and it is not written anywhere else;
 * - dispose() is idempotent, may be called while anything is running, and resolves when no process of a job that was running, killed or cancelled is
 *   left, and the private directory is gone. It never rejects. Later jobs are `not-started`, `disposed`.
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

/** The limits of one spawner. */
export interface SpawnerLimits {
  /**
   * Maximum number of jobs that run at once, an integer from 1.
   * @default `max(8, 4 x cores)`, at most 32: most hooks wait rather than compute, and hooks that compute lose nothing up to 16 on two cores
   */
  readonly concurrency: number;

  /** Maximum number of jobs that wait for their turn. One more is `not-started`, `overloaded` at once. 0: no job waits. @default 1024 */
  readonly queued: number;

  /** Milliseconds between SIGTERM and SIGKILL, 0 to 2147483647. @default 5000 */
  readonly killGraceMs: number;

  /** Bytes of stdout kept per job, 0 to 268435456. @default 16777216 (16 MiB) */
  readonly stdoutBytes: number;

  /** Bytes of stderr kept per job, 0 to 268435456. @default 1048576 (1 MiB) */
  readonly stderrBytes: number;
}

/** Half of the longest string of V8: a text of this many bytes can always be decoded (field failure 40). */
export const mostBytes = 268_435_456;

export const defaultLimits: SpawnerLimits = {
  concurrency: Math.min(32, Math.max(8, 4 * availableParallelism())),
  queued: 1024,
  killGraceMs: 5000,
  stdoutBytes: 16 * 1024 * 1024,
  stderrBytes: 1024 * 1024,
};

/** The defaults with the given overrides. Throws a TypeError that names the invalid field. */
export function resolveLimits(given: Partial<SpawnerLimits>): SpawnerLimits {
  const limits: SpawnerLimits = {
    concurrency: given.concurrency ?? defaultLimits.concurrency,
    queued: given.queued ?? defaultLimits.queued,
    killGraceMs: given.killGraceMs ?? defaultLimits.killGraceMs,
    stdoutBytes: given.stdoutBytes ?? defaultLimits.stdoutBytes,
    stderrBytes: given.stderrBytes ?? defaultLimits.stderrBytes,
  };
  requireInteger('concurrency', limits.concurrency, 1, Number.MAX_SAFE_INTEGER);
  requireInteger('queued', limits.queued, 0, Number.MAX_SAFE_INTEGER);
  requireNumber('killGraceMs', limits.killGraceMs, 0, longestTimerMs);
  requireInteger('stdoutBytes', limits.stdoutBytes, 0, mostBytes);
  requireInteger('stderrBytes', limits.stderrBytes, 0, mostBytes);
  return limits;
}

/** Strings are refused too: "5" would pass a comparison and fail in arithmetic (field failure 34). */
export function requireNumber(name: string, value: unknown, least: number, most: number): void {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least || value > most) {
    throw new TypeError(`${name} must be a number from ${least} to ${most}, not ${describeValue(value)}`);
  }
}

export function requireInteger(name: string, value: unknown, least: number, most: number): void {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    throw new TypeError(`${name} must be an integer from ${least} to ${most}, not ${describeValue(value)}`);
  }
}

/** Why a job is stopped: its own signal was aborted, or the spawner was disposed. They differ in the grace period of its processes. */
export type StopReason = 'cancelled' | 'disposed';

/** The signal of one job, from the queue to the kill. It aborts with one of these reasons. The first one counts. */
export interface StopSignal extends AbortSignal {
  readonly reason: StopReason;
}

/** Calls back when the job is stopped, at once if it is already, unless the returned function is called first. */
export function onStop(signal: StopSignal, callback: (reason: StopReason) => void): () => void {
  if (!signal.aborted) return onAbort(signal, () => callback(signal.reason));
  callback(signal.reason);
  return () => {};
}

/** Throws a TypeError for programming errors. Errors that settings or the machine can cause are `unrunnable` (see `run/failure.ts`). */
export function checkJob(job: ProcessJob): void {
  requireNumber('timeoutMs', job.timeoutMs, 1, longestTimerMs);
  if (job.killGraceMs !== undefined) requireNumber('killGraceMs', job.killGraceMs, 0, longestTimerMs);
  if (job.stdoutBytes !== undefined) requireInteger('stdoutBytes', job.stdoutBytes, 0, mostBytes);
  if (job.stderrBytes !== undefined) requireInteger('stderrBytes', job.stderrBytes, 0, mostBytes);
  requireText('cwd', job.cwd);
  requireText('stdin', job.stdin);
  if (typeof job.env !== 'object' || job.env === null) throw new TypeError(`env must be an object, not ${describeValue(job.env)}`);
  checkCommand(job.command);
}

function checkCommand(command: ProcessCommand): void {
  switch (command?.kind) {
    case 'shell':
      requireText('command.text', command.text);
      return;
    case 'program':
      requireText('command.file', command.file);
      if (!Array.isArray(command.args)) throw new TypeError(`command.args must be an array, not ${describeValue(command.args)}`);
      command.args.forEach((arg, index) => {
        requireText(`command.args[${index}]`, arg);
      });
      return;
    default:
      throw new TypeError(`command.kind must be "shell" or "program", not ${describeValue((command as { kind?: unknown })?.kind)}`);
  }
}

function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`${name} must be a string, not ${describeValue(value)}`);
}
