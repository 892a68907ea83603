import { onAbort } from './signal.js';

/** The longest delay in milliseconds that setTimeout accepts: 2^31 - 1. It treats a longer delay as 1 ms. */
export const longestTimerMs = 2_147_483_647;

/** Resolves after the time, or as soon as the signal aborts. All waits for one signal share one listener (`onAbort`). */
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
 * Returns a promise that settles with the result of the work, or rejects as soon as the signal aborts. If the signal has already aborted,
 * the work is not started. Work that has started continues after an abort, because it often cannot be stopped. An example is a read from
 * a disk that does not answer.
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
