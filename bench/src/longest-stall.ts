/** How often the event loop is asked for a turn, in milliseconds. The shortest interval of a timer. */
const intervalMs = 1;

/**
 * Returns the longest time, in milliseconds, for which this work blocked the event loop: the longest gap between two turns of a timer, less
 * its interval. `monitorEventLoopDelay` was rejected: it forgets the gap in which it is started, and the work often blocks right there.
 */
export async function longestStall(work: () => Promise<void> | void): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last - intervalMs);
    last = now;
  };
  const timer = setInterval(turn, intervalMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  turn();
  return longest;
}
