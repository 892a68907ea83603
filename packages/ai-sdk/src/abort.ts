import { AbortTimeoutError, abortError, raceWithAbort } from '@tenterhook/agent/internal';

/** Waits for the work. Work that ignores the abort of its signal is not waited for; then the reason of the signal is thrown. */
export async function abortable<Value>(work: () => PromiseLike<Value>, signal: AbortSignal | undefined): Promise<Value> {
  try {
    return await raceWithAbort(async () => work(), signal);
  } catch (error) {
    throw error instanceof AbortTimeoutError ? abortError(signal) : error;
  }
}
