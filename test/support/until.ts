import { setTimeout as pause } from 'node:timers/promises';

/** Less than the timeout of a test, so that this error appears, which says what was awaited. */
const longestMs = 50_000;

/**
 * Waits by polling until the condition holds, for what sends no event, such as a file or another process. No assertion depends on how long
 * it took.
 */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + longestMs;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain until ${what}.`);
    await pause(5);
  }
}
