import { onAbort } from './signal.js';

/** The longest delay in milliseconds that setTimeout accepts: 2^31 - 1. It treats a longer one as 1 ms. */
export const longestTimerMs = 2_147_483_647;

/** Resolves after the time, or as soon as the signal aborts. All waits on one signal share one listener (`onAbort`). */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      stop?.();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const stop = signal === undefined ? undefined : onAbort(signal, done);
  });
}
