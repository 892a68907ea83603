import type { JobOutput } from './io/output.js';
import type { StopRequest } from './cancellation.js';

const lookEveryMs = 10;
const quietMs = 50;
const longestMs = 250;

/** So long before its deadline the job is answered for: whoever waits for it gives up soon after that, and with the answer would go a deny. */
const reserveMs = 100;

/**
 * After the end of a process: waits until nobody holds its output any more, which is at once unless it has left somebody behind; else until
 * nothing was written for 50 ms, or 250 ms are over (decision 29), or the deadline of the job is near, or nobody wants to wait any longer.
 */
export function waitForQuiet(output: JobOutput, deadlineAt: number, stop: StopRequest): Promise<void> {
  return new Promise((resolve) => {
    const exitedAt = performance.now();
    const timer = setInterval(look, lookEveryMs).unref();
    void output.ended.then(finish);
    stop.handle(() => setImmediate(finish));

    function look(): void {
      const now = performance.now();
      // Behind the rest of this turn of the loop, which reads what is there: when the agent itself blocked the loop it may be all of the answer.
      if (now - Math.max(exitedAt, output.changedAt) >= quietMs || now >= Math.min(exitedAt + longestMs, deadlineAt - reserveMs))
        setImmediate(finish);
    }

    function finish(): void {
      clearInterval(timer);
      resolve();
    }
  });
}
