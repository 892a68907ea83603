import { type Abortable, longestTimerMs, onAbort } from '@tenterhook/runtime/async';
import { describeValue } from '@tenterhook/runtime/text';
import { mostBytes, requireInteger, requireNumber } from './limits.js';

/**
 * What to run. `shell`: the text is passed to the shell unchanged, as one argument. The shell is `bash -c` if bash is on our PATH, else `sh
 * -c`. On Windows it is PowerShell (decision 31). `program`: the file is started without a shell. It is searched for in the `PATH` of the
 * job's environment.
 */
export type ProcessCommand =
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'program'; readonly file: string; readonly args: readonly string[] };

/** One process to run. `run()` does not modify the job or its values. Do not modify them while `run()` is pending. */
export interface ProcessJob {
  readonly command: ProcessCommand;

  /** Absolute path of the working directory. If it does not exist, the job is `unrunnable` with the reason `missing_cwd`. */
  readonly cwd: string;

  /**
   * Absolute paths of directories that the process expects. Each is created right before the start if it is missing, readable only by the
   * user. If one cannot be created, the process starts nevertheless, because it may not need the directory.
   * @default none
   */
  readonly directories?: readonly string[];

  /**
   * The whole environment. Nothing is inherited, not even `PATH`. The spawner adds the variable `TENTERHOOK_JOB`. Its value lists the ids
   * of the jobs that our own process runs in, and then the id of this job. On Linux the variable identifies processes that have left the
   * process group.
   */
  readonly env: Readonly<Record<string, string>>;

  /**
   * A text that is equal for jobs that do the same. A program uses it to find out whether it already runs in a job of this kind; see
   * `readNesting`.
   * @default none
   */
  readonly jobKind?: string;

  /**
   * Jobs with different values never use the same lane. A job can pause or kill the shell that starts it, and must not do so to the shell of
   * a job that it must not influence.
   * @default all jobs without a value share lanes
   */
  readonly laneGroup?: string;

  /** The whole standard input, followed by end of file. The process need not read it. */
  readonly stdin: string;

  /**
   * Milliseconds from the start of the process until the job is `timed-out`, a finite number from 1 to 2147483647. Time in the queue is not
   * counted. If the system is short of resources (`EAGAIN`, `EMFILE` …), the start is tried again for up to 5 s. The timeout begins with
   * the first attempt.
   */
  readonly timeoutMs: number;

  /**
   * Whether to report that the process read no input (`inputUnread`). Keeps a descriptor open until the process has ended.
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
   * Cancels the job. A waiting job becomes `not-started`. A running job becomes `cancelled`, and its processes are killed. Has no effect
   * after the process has exited.
   */
  readonly signal?: Abortable;

  /**
   * Called right before each attempt to start the process. If it returns false or throws, the process is not started.
   * @default the process is started
   */
  readonly mayStart?: () => boolean;

  /** Called once, when the process has started. If it throws, the job continues and Node prints a warning. */
  readonly onStart?: (info: { readonly pid: number }) => void;

  /**
   * Called with the first line of stdout when it is complete. Also called each time the incomplete line grows, up to 1 KiB, because its end
   * may never be written. Not called for a line of more than 64 KiB, nor after the job has settled. If it throws, the job continues and
   * Node prints a warning.
   */
  readonly onFirstLine?: (line: FirstLine) => void;
}

/** The first line of a job's stdout, as far as it has been written. */
export interface FirstLine {
  /** The text without its line feed. */
  readonly text: string;

  /** Whether the line is complete. If it is, the function is not called again. */
  readonly isComplete: boolean;

  /**
   * Ends the job `timeoutMs` milliseconds from now, instead of at its earlier timeout. Throws a TypeError unless it is a finite number from
   * 1 to 2147483647.
   */
  replaceTimeout(this: void, timeoutMs: number): void;
}

/**
 * How a job was run:
 * - `lane`: a lane, which is a resident shell, started its process;
 * - `direct`: our process started it. `reason` explains to users why no lane did;
 * - `resident`: a resident process answered it;
 * - `cold`: it was meant for a resident process, and ran in a process of its own. `reason` explains why.
 */
export type JobRoute = { readonly kind: 'lane' | 'resident' } | { readonly kind: 'direct' | 'cold'; readonly reason: string };

/** Something about a resident process that users should know. `ignored-output`: it printed lines that are not the answer. `restarted`: it ended between two jobs, or was paused, so another one was started. */
export interface ResidentNote {
  readonly kind: 'ignored-output' | 'restarted';
  /** Without a subject, e.g. `was ended by SIGKILL`. */
  readonly message: string;
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
   * Whether the process wrote more than was kept. At most 64 KiB are kept of a job that was stopped. A truncated text ends with a complete
   * character.
   */
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;

  /** Whether stdout or stderr was not valid UTF-8. */
  readonly invalidUtf8: boolean;

  /**
   * The number of processes of the job that still ran when it settled as `exited`. They are not killed (decision 29). 1 means "at least
   * one" if they cannot be counted (not Linux, or thousands of processes). Always 0 for other results, because the processes are then
   * killed.
   */
  readonly leftProcesses: number;

  /** How the job was run. Not set for a `ProcessJob` if the spawner has the option `spawner: 'direct'`. */
  readonly route?: JobRoute;

  /** What users should know about the resident process that answered, or that could not. Set only for a `ResidentJob`. */
  readonly notes?: readonly ResidentNote[];
}

/** How a job ended. `durationMs` is the time from the start of the process until the job settled, or 0 if no process was started. */
export type ProcessExit =
  /** The process exited. `inputUnread` is set if the job has `watchesInput` and the process read no input. */
  | ({ readonly kind: 'exited'; readonly exitCode: number; readonly durationMs: number; readonly inputUnread?: true } & CapturedOutput)
  /** The process was ended by a signal. The other processes of the job are killed. */
  | ({ readonly kind: 'signalled'; readonly signal: string; readonly durationMs: number } & CapturedOutput)
  /**
   * The job reached its timeout and settled with the output so far. Its processes are then killed (decision 28). `signal` is set if another
   * program had paused one of them, e.g. with SIGSTOP. This is known only on Linux.
   */
  | ({ readonly kind: 'timed-out'; readonly durationMs: number; readonly signal?: 'SIGSTOP' } & CapturedOutput)
  /** The signal of the job was aborted, or the spawner was disposed. Its processes are killed as after a timeout. */
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

/** Why a job is stopped. `cancelled`: its own signal was aborted. `disposed`: the spawner was disposed. The grace periods differ. */
export type StopReason = 'cancelled' | 'disposed';

/** Stops one job, whether it waits or runs. If a job is both cancelled and disposed, `reason` is the first of the two. */
export type StopSignal = Abortable & { readonly reason: StopReason };

/** Calls back when the job is stopped, or at once if it is already stopped. The returned function cancels the callback. */
export function onStop(signal: StopSignal, callback: (reason: StopReason) => void): () => void {
  if (!signal.aborted) return onAbort(signal, () => callback(signal.reason));
  callback(signal.reason);
  return () => {};
}

/**
 * Throws a TypeError for values that only a bug in the calling program can cause. Wrong values from settings, and failures of the machine,
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
