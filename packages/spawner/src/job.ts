import { availableParallelism } from 'node:os';
import { longestTimerMs, onAbort } from '@tenterhook/runtime/async';
import { describeValue } from '@tenterhook/runtime/text';

/**
 * What to run. `shell` text is given to the shell as one argument and is never rewritten: no quoting, no expansion, no prefix;
 * it runs under `bash -c` where there is a bash on our PATH, else `sh -c`, on Windows PowerShell (decision 31).
 * A `program` is started without a shell, from the `PATH` of the job's own environment.
 */
export type ProcessCommand =
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] };

/** One process to run. Neither the job nor what it refers to is modified; it must not be modified while `run()` is pending. */
export interface ProcessJob {
  readonly command: ProcessCommand;

  /** Absolute path of an existing directory; a missing one is `unrunnable` with the reason `missing_cwd`. */
  readonly cwd: string;

  /**
   * The whole environment, so without `PATH` the process has none. On Linux `TENTERHOOK_JOB` is added: an id by which the spawner finds processes
   * of the job that leave its group. If the variable is set already, the id is appended to it.
   */
  readonly env: Readonly<Record<string, string>>;

  /** The whole standard input, then end of file. A process that does not read it is not disturbed. */
  readonly stdin: string;

  /**
   * Milliseconds from the start of the process (waiting for its turn does not count) to `timed-out`. A finite number from 1 to 2147483647.
   * If the system has no room for a process for a moment (`EAGAIN`, `EMFILE` …), they count from the first attempt to start it; attempts end after 5 s.
   */
  readonly timeoutMs: number;

  /** The most of stdout that is kept, in bytes; what follows is counted and discarded. @default `SpawnerLimits.stdoutBytes` */
  readonly stdoutBytes?: number;

  /** The most of stderr that is kept, in bytes. @default `SpawnerLimits.stderrBytes` */
  readonly stderrBytes?: number;

  /** Milliseconds between SIGTERM and SIGKILL when the job is timed out or cancelled; 0: SIGKILL follows at once. @default `SpawnerLimits.killGraceMs` */
  readonly killGraceMs?: number;

  /** Cancels the job: a waiting one is `not-started`, a running one is `cancelled` and its processes killed. After its exit it changes nothing. */
  readonly signal?: AbortSignal;

  /** Called once, when the process has begun. If it throws, the job goes on and Node prints a warning. */
  readonly onStart?: (info: { readonly pid: number }) => void;

  /**
   * Called with the first line of stdout: piece by piece while it is no longer than 1 KiB, because its end may never come, and when it is
   * complete. A line of more than 64 KiB is not passed. Never called after the job has settled. If it throws, the job goes on and Node prints a warning.
   */
  readonly onFirstLine?: (line: FirstLine) => void;
}

/** The first line of a job's stdout, as far as it is written. */
export interface FirstLine {
  /** Without its line feed. */
  readonly text: string;

  /** Its line feed has come; this is the last call. */
  readonly isComplete: boolean;

  /** Gives the job so many milliseconds from now, in place of what is left to it. A finite number from 1 to 2147483647, else a TypeError. */
  replaceTimeout(this: void, timeoutMs: number): void;
}

/** What the spawner knows of a process that did start. */
export interface CapturedOutput {
  /** The process, and its group: the number is free again once the group is gone. */
  readonly pid: number;

  /** Decoded as UTF-8 in one piece; invalid sequences are U+FFFD, a byte order mark is left where it is. */
  readonly stdout: string;
  readonly stderr: string;

  /** Bytes written until it settled, kept or not. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;

  /** More was written than is kept; of a job that was stopped no more than 64 KiB are. The text then ends on a whole character. */
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;

  /** stdout or stderr was not valid UTF-8. */
  readonly invalidUtf8: boolean;

  /**
   * Processes of the job that still ran when it settled as `exited`, if any of its group did; they are left alone (decision 29). If they cannot be
   * counted (not Linux, thousands of them), 1 means "at least one". 0 for every other kind of end: there they are being killed.
   */
  readonly leftProcesses: number;
}

/** How a job ended. `durationMs` is from the start of the process to the settling, 0 if no process was started. */
export type ProcessExit =
  | ({ readonly kind: 'exited'; readonly exitCode: number; readonly durationMs: number } & CapturedOutput)
  /** By a signal. What is left of its processes is being killed. */
  | ({ readonly kind: 'signalled'; readonly signal: string; readonly durationMs: number } & CapturedOutput)
  /** Settled at the deadline with the output so far; the killing goes on afterwards (decision 28). */
  | ({ readonly kind: 'timed-out'; readonly durationMs: number } & CapturedOutput)
  /** It was running when its signal was aborted or the spawner disposed; killed as at the deadline. */
  | ({ readonly kind: 'cancelled'; readonly durationMs: number } & CapturedOutput)
  /** `overloaded`: more jobs were waiting than `SpawnerLimits.queued`. */
  | { readonly kind: 'not-started'; readonly reason: 'cancelled' | 'disposed' | 'overloaded'; readonly durationMs: 0 }
  /**
   * It could not be started. `code`: the program does not exist (`missing_command`), the job holds what no system accepts, a NUL byte or an environment
   * value that is not a string (`invalid_input`), or anything else (`spawn_failed`). `reason`, finer: `missing_program`, `invalid_input`, `missing_cwd`,
   * `missing_shell`, `no_private_directory`, else the errno (`EMFILE`, `EACCES`, `E2BIG` …). `message` names the value and the remedy, never an
   * environment value.
   */
  | {
      readonly kind: 'unrunnable';
      readonly code: 'missing_command' | 'invalid_input' | 'spawn_failed';
      readonly reason: string;
      readonly message: string;
      readonly durationMs: 0;
    };

/**
 * Runs processes. Its promises:
 * - run() resolves, always, with a value; it throws a TypeError, synchronously, for wrong use only (a `timeoutMs` that is not a number …);
 * - jobs start in the order of run(), at most `concurrency` at once; nothing is promised about the order in which they end;
 * - a job settles when its process has exited, not when the last holder of its output is gone (decision 29), and at its deadline whatever the process does (decision 28);
 * - what is kept of a job is bounded, and nothing of its output is written anywhere else;
 * - dispose() is idempotent, may be called while anything is running, and resolves when no process of a job that was running, killed or cancelled is
 *   left, and the private directory is gone. It never rejects. Later jobs are `not-started`, `disposed`.
 */
export interface Spawner {
  run(job: ProcessJob): Promise<ProcessExit>;
  /** Jobs that have had their turn and have not settled. */
  readonly running: number;
  /** Jobs that wait for their turn. */
  readonly queued: number;
  dispose(): Promise<void>;
  /** `dispose()` at the end of a scope: `await using spawner = createSpawner()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The bounds of one spawner. */
export interface SpawnerLimits {
  /**
   * Jobs that run at once; an integer from 1.
   * @default `max(8, 4 x cores)`, at most 32: most hooks wait rather than compute, and those that compute lose nothing up to 16 on two cores
   */
  readonly concurrency: number;

  /** Jobs that wait for their turn; one more is `not-started`, `overloaded` at once. 0: no job waits. @default 1024 */
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

/** The defaults, overridden by what is given. A TypeError names the field that is invalid. */
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

/** Why a job is stopped: its own signal was aborted, or the spawner was disposed. The two differ in the grace that its processes get. */
export type StopReason = 'cancelled' | 'disposed';

/** The signal of one job, from the queue to the kill. It aborts with one of the reasons; the first one stays. */
export interface StopSignal extends AbortSignal {
  readonly reason: StopReason;
}

/** Calls back when the job is stopped, at once if it is already, unless the returned function is called first. */
export function onStop(signal: StopSignal, callback: (reason: StopReason) => void): () => void {
  if (!signal.aborted) return onAbort(signal, () => callback(signal.reason));
  callback(signal.reason);
  return () => {};
}

/** Throws a TypeError for what only a programming error can cause. What a settings file or a machine can cause is `unrunnable` (see `run/failure.ts`). */
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
