import { setTimeout as pause } from 'node:timers/promises';

/** Below the time that a test has, so that it is this that says what was waited for. */
const longestMs = 50_000;

/** Polls until the condition holds: for what sends no event, such as a file or a process of others. No assertion depends on how long it took. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + longestMs;
  while (!condition()) {
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain until ${what}.`);
    await pause(5);
  }
}
