import { onStop, type StopSignal } from '../job.js';

/** Output that is read to its end. */
export interface DrainedOutput {
  /** The time of `performance.now()` at which the last output was read. */
  readonly changedAt: number;
  /** Resolves when all processes have closed the output. */
  readonly ended: Promise<unknown>;
  /** Whether the output so far is the beginning of an object, so that more is expected. @default false */
  readonly isUnfinished?: boolean;
}

const lookEveryMs = 10;
const quietMs = 50;
const longestDrainMs = 250;

/**
 * Reading the last output ends this many milliseconds before the deadline. A caller may stop waiting soon after the deadline, and would
 * then lose the answer, which may be a deny.
 */
const reserveMs = 100;

/**
 * Waits, after a process has ended, until all processes have closed its output. If the process left others running, the wait ends when
 * - nothing was written for 50 ms, and the output is not the beginning of an object, which may be a deny;
 * - 250 ms have passed in all (decision 29);
 * - the deadline of the job is near;
 * - or the job was stopped 50 ms ago.
 */
export function drainOutput(output: DrainedOutput, deadlineAt: number, signal: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    const exitedAt = performance.now();
    const timer = setInterval(look, lookEveryMs).unref();
    void output.ended.then(finish);
    // A stop only shortens the wait, because the last output may be a deny that has not been read yet.
    let stoppedAt = Number.POSITIVE_INFINITY;
    const forgetSignal = onStop(signal, () => {
      stoppedAt = performance.now();
    });

    function look(): void {
      const now = performance.now();
      // The wait ends after this turn of the event loop, because output may still be read in the rest of the turn. If the agent blocked the
      // loop, this output may be the whole answer.
      const latest = Math.min(exitedAt + longestDrainMs, deadlineAt - reserveMs, stoppedAt + quietMs);
      const isQuiet = now - Math.max(exitedAt, output.changedAt) >= quietMs && output.isUnfinished !== true;
      if (isQuiet || now >= latest) setImmediate(finish);
    }

    function finish(): void {
      clearInterval(timer);
      forgetSignal();
      resolve();
    }
  });
}
