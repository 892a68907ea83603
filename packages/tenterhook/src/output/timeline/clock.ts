/** Time, as a live line needs it; tests bring their own. */
export interface Clock {
  now(): number;
  /** Calls `tick` again and again until the returned function is called. Keeps no process alive. */
  every(ms: number, tick: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
