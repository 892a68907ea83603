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

  /** Absolute path of an existing directory; a missing one is `spawn-failed` with the code `missing_cwd`. */
  readonly cwd: string;

  /**
   * The whole environment, so without `PATH` the process has none. On Linux `TENTERHOOK_JOB` is added, an id by which processes of the job are
   * found that leave its group; where it is there already, the id is put behind it.
   */
  readonly env: Readonly<Record<string, string>>;

  /** The whole standard input, then end of file. A process that does not read it is not disturbed by it. */
  readonly stdin: string;

  /**
   * Milliseconds from the start of the process (waiting for its turn does not count) to `timed-out`. A finite number from 1 to 2147483647.
   * Where the system has no room for a process for a moment (`EAGAIN`, `EMFILE` …), from the first attempt to start it; attempts end after 5 s.
   */
  readonly timeoutMs: number;

  /** The most of stdout that is kept, in bytes; what follows is counted and thrown away. @default `SpawnerLimits.stdoutBytes` */
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
   * complete. A line of more than 64 KiB is not told. Never after the job has settled. If it throws, the job goes on and Node prints a warning.
   */
  readonly onFirstLine?: (line: FirstLine) => void;
}

/** The first line of a job's stdout, as far as it is written. */
export interface FirstLine {
  /** Without its line feed. */
  readonly text: string;

  /** Its line feed has come; nothing more is told. */
  readonly isComplete: boolean;

  /** Gives the job so many milliseconds from now, in place of what is left to it. A finite number from 1 to 2147483647, else a TypeError. */
  replaceTimeout(this: void, timeoutMs: number): void;
}

/** What a process that did start has left. */
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

  /** stdout or stderr was no valid UTF-8. */
  readonly invalidUtf8: boolean;

  /**
   * Its processes that still ran when it settled as `exited`, if any of its group did; they are left alone (decision 29). Where they cannot be
   * counted (not Linux, thousands of them) 1 means "at least one". 0 for every other status: there they are being killed.
   */
  readonly leftProcesses: number;
}

/** How a job ended. `durationMs` is from the start of the process to the settling, 0 when none was started. */
export type ProcessExit =
  | ({ readonly status: 'exited'; readonly exitCode: number; readonly durationMs: number } & CapturedOutput)
  /** By a signal. What is left of its processes is being killed. */
  | ({ readonly status: 'signalled'; readonly signal: string; readonly durationMs: number } & CapturedOutput)
  /** Settled at the deadline with what was there; the killing goes on behind (decision 28). */
  | ({ readonly status: 'timed-out'; readonly durationMs: number } & CapturedOutput)
  /** It was running when its signal was aborted or the spawner disposed; killed as at the deadline. */
  | ({ readonly status: 'cancelled'; readonly durationMs: number } & CapturedOutput)
  /** `overloaded`: more jobs were waiting than `SpawnerLimits.queued`. */
  | { readonly status: 'not-started'; readonly reason: 'cancelled' | 'disposed' | 'overloaded'; readonly durationMs: 0 }
  /**
   * `code`: `missing_cwd`, `missing_shell`, `missing_program`, `invalid_input` (a NUL byte, an environment value that is no string),
   * `no_private_directory`, else the errno (`EMFILE`, `EACCES`, `E2BIG` …). `message` names the value and what to do, never an environment value.
   */
  | { readonly status: 'spawn-failed'; readonly code: string; readonly message: string; readonly durationMs: 0 };

/**
 * Runs processes. What it promises, whatever carries them:
 * - run() resolves, always, with a value; it throws a TypeError, synchronously, for wrong use only (a `timeoutMs` that is no number …);
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
}
