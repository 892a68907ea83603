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

/**
 * Settles as the work does, or rejects as soon as the signal aborts. The work is not started if the signal has aborted already. Work that
 * has started goes on, because most of what waits (a read of a disk that does not answer) cannot be stopped.
 */
export function untilAbort<Value>(
  work: () => Promise<Value>,
  signal: AbortSignal | undefined,
  createError: (signal: AbortSignal) => Error,
): Promise<Value> {
  if (signal === undefined) return work();
  if (signal.aborted) return Promise.reject(createError(signal));
  return new Promise((resolve, reject) => {
    const stop = onAbort(signal, () => reject(createError(signal)));
    work().then(resolve, reject).finally(stop);
  });
}
