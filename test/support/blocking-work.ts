import { setTimeout } from 'node:timers/promises';

/**
 * Runs work that blocks the thread, under the time limit of the test. The limit is a timer, and without a pause after the work the test
 * would end before the timer can fire. For work on hostile input, whose time must not grow with the square of the input.
 */
export async function blockingWork<Result>(work: () => Result): Promise<Result> {
  const result = work();
  // Timers fire in the order of their ends, so the limit comes first if it is over. An immediate may come before both.
  await setTimeout(1);
  return result;
}
