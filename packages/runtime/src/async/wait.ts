import { onAbort } from './on-abort.js';

/** Resolves after the time, or as soon as the signal aborts. One listener for a signal, however many wait for it. */
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
