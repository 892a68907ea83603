import { setImmediate } from 'node:timers/promises';

/**
 * Runs work that blocks the thread, under the time limit of the test. The limit is a timer, and without a pause after the work the test
 * would end before the timer can fire. For work on hostile input, whose time must not grow faster than the input.
 */
export async function blockingWork<Result>(work: () => Result): Promise<Result> {
  const result = work();
  // Immediates run before timers of the same turn, so the first one may come too early.
  await setImmediate();
  await setImmediate();
  return result;
}
