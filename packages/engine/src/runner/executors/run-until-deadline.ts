import type { Exit } from '@tenterhook/protocol';
import { onAbort } from '@tenterhook/runtime/async';

/** One run in progress. Only the first exit is used. */
export interface TimedRun {
  readonly settle: (exit: Exit) => void;
  readonly elapsedMs: () => number;
}

/**
 * Runs until the answer, the deadline or the abort, whichever comes first. Used for requests and callbacks. `begin` starts the run, and
 * returns a function that cleans up. That function is called once with the exit.
 */
export function runUntilDeadline(timeoutMs: number, signal: AbortSignal, begin: (run: TimedRun) => (exit: Exit) => void): Promise<Exit> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const elapsedMs = () => performance.now() - startedAt;
    if (signal.aborted) return resolve({ kind: 'cancelled', durationMs: elapsedMs() });
    let end: ((exit: Exit) => void) | undefined;
    let first: Exit | undefined;
    const settle = (exit: Exit) => {
      if (first !== undefined) return;
      first = exit;
      clearTimeout(timer);
      forgetSignal();
      end?.(exit);
      resolve(exit);
    };
    const stop = (kind: 'cancelled' | 'timed-out') => settle({ kind, durationMs: elapsedMs() });
    // The run is stopped after the other work of this turn of the event loop. The agent may have blocked the loop past the deadline. Then
    // an answer that arrived in time is still read before the stop.
    const timer = setTimeout(() => setImmediate(() => stop('timed-out')), timeoutMs);
    const forgetSignal = onAbort(signal, () => stop('cancelled'));
    end = begin({ settle, elapsedMs });
    if (first !== undefined) end(first);
  });
}
