import { onAbort } from './signal.js';

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
