import type { CapturedOutput, ProcessExit, ProcessJob } from '../job.js';

/**
 * A job that a resident process answers. The process is started for the first job with this key, and answers later jobs too. Each job is
 * one line on its stdin, and each answer is one line on its stdout.
 *
 * If the process cannot answer, a process of its own runs the job, as `Spawner.run` would do it. So the command must work in both ways. It
 * finds out which one it is by the variable `TENTERHOOK_MODE`, which is `resident` or not set. `onFirstLine` and `watchesInput` have an
 * effect only for a process of its own.
 */
export interface ResidentJob extends ProcessJob {
  /** One line of JSON, which the process receives as `input`. A text with line breaks is rewritten without them. */
  readonly stdin: string;

  /** What identifies the process. There is at most one for each key, and it answers one job at a time. */
  readonly key: string;

  /**
   * What the process was started for. If the version, the command, the directory or the environment of a job differs from those of the
   * process, the process is ended, and another one is started.
   */
  readonly version: string;

  /**
   * Called right before each attempt to start a process for this job, before `mayStart`. If it throws, the process is not started.
   * @default nothing is called
   */
  readonly beforeStart?: () => void;

  /**
   * Called before later jobs, on the job that started the process. If it returns true or throws, the process is ended, and another one is
   * started. Returns whether a file that the process read may have changed since `beforeStart` was called.
   * @default no file changes
   */
  readonly isTouched?: () => boolean;

  /**
   * Called with what the process prints to stderr, on the job that started the process. At most about 64 KiB between two answers; the rest
   * is discarded. If it throws, the process continues and Node prints a warning.
   */
  readonly onStderr?: (text: string) => void;
}

/** How a job of a resident process ended. `unanswered`: the process gave no valid answer. `problem` says why, without a subject. */
export type ResidentExit =
  | ProcessExit
  | ({ readonly kind: 'unanswered'; readonly problem: string; readonly durationMs: number } & CapturedOutput);

/**
 * Processes that stay alive and answer many jobs.
 * - They are started at their first job, and share the limits of the spawner. An idle process takes no place of `concurrency`.
 * - A job that finds its process busy waits up to 50 ms. Then a process of its own runs it.
 * - If a process dies again and again, pauses of 1 to 60 s follow, in which each job has a process of its own.
 * - At most 32 processes stay alive. An idle one is ended after ten minutes, or when another key needs its place.
 */
export interface Residents {
  /** Like `Spawner.run`. `route` of the result names the way of the job. */
  run(job: ResidentJob): Promise<ResidentExit>;
  /** The number of processes that are alive. */
  readonly size: number;
  /** Ends the processes for which `isKept` returns false. A process that answers a job is ended after it. */
  retain(isKept: (key: string, version: string) => boolean): void;
}
