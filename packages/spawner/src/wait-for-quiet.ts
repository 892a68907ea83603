import type { JobOutput } from './job-output.js';
import { isGroupAlive } from './process-group.js';
import type { StopRequest } from './stop-request.js';

const lookEveryMs = 10;
const quietMs = 50;
const longestMs = 250;

/**
 * After the exit of a process that left others of its group behind: waits until they have written nothing for 50 ms, are gone, or 250 ms are over
 * (decision 29), or nobody wants to wait any longer. Somebody who closes the output without ending cannot be seen, as it could with a pipe.
 */
export function waitForQuiet(group: number, output: JobOutput, stop: StopRequest): Promise<void> {
  return new Promise((resolve) => {
    const exitedAt = performance.now();
    let grownAt = exitedAt;
    let bytes = output.bytes;
    const timer = setInterval(look, lookEveryMs).unref();
    stop.handle(finish);

    function look(): void {
      const now = performance.now();
      const bytesNow = output.bytes;
      if (bytesNow !== bytes) grownAt = now;
      bytes = bytesNow;
      if (now - grownAt >= quietMs || now - exitedAt >= longestMs || !isGroupAlive(group)) finish();
    }

    function finish(): void {
      clearInterval(timer);
      resolve();
    }
  });
}
