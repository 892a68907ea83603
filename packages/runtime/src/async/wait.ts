import { type Abortable, onAbort } from './signal.js';

/** The longest delay in milliseconds that `setTimeout` accepts: 2^31 - 1. `setTimeout` treats a longer delay as 1 ms. */
export const longestTimerMs = 2_147_483_647;

/** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
export function wait(ms: number, signal: Abortable | undefined): Promise<void> {
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
 * Starts the work and returns a promise of its result. The promise rejects as soon as the signal aborts. Work that has started
 * continues after an abort, because it often cannot be stopped: a read from a disk that does not answer, for example. If the signal
 * has already aborted, the work is not started.
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
