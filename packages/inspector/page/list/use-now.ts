import { useEffect, useReducer } from 'preact/hooks';

/** Milliseconds between two drawings of bars that grow. */
const tickMs = 100;

/** Returns the time, and draws the component again while something runs. With prefers-reduced-motion, the time is that of the last change. */
export function useNow(isRunning: boolean): number {
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0);
  useEffect(() => {
    if (!isRunning || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const timer = setInterval(() => draw(undefined), tickMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  return Date.now();
}
