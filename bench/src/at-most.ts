import { availableParallelism } from 'node:os';

/** The default limit of Tenterhook, under which the baselines run, too. */
export const concurrency = Math.min(32, Math.max(8, 4 * availableParallelism()));

/** Runs a task this many times, at most `concurrency` at once. What p-limit does, without its bookkeeping. */
export async function atMost(concurrency: number, count: number, task: () => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await task();
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
}
