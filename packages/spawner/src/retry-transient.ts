import { setTimeout as pause } from 'node:timers/promises';
import type { StopRequest } from './cancellation.js';

/**
 * What a machine that is short of something says, and may not say a moment later: no room for a process, no descriptor, no memory; and a program
 * that somebody is just writing.
 */
const transientCodes = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ETXTBSY']);

/** 10, 20, 40 … 640 ms, then as long again and again. */
const firstPauseMs = 10;
const longestPauseMs = 640;

/** The default deadline of a hook is a minute: nobody should wait that long to hear that nothing could be started. */
const longestMs = 5000;

/** What one attempt came to: the error, or anything else. */
export type Attempt<Value> = { readonly error: NodeJS.ErrnoException } | Value;

/**
 * Tries until it succeeds, fails for good, is told to stop, or the time is over: 5 s, or that of the job where it is shorter. The last error is
 * told. The first attempt is made at once, and always.
 */
export async function retryTransient<Value extends object>(
  attempt: () => Promise<Attempt<Value>>,
  timeoutMs: number,
  stop: StopRequest,
  wait: (ms: number) => Promise<unknown> = waitUnreferenced,
): Promise<Attempt<Value>> {
  const stopped = new Promise<void>((resolve) => stop.handle(() => resolve()));
  let leftMs = Math.min(longestMs, timeoutMs);
  let pauseMs = firstPauseMs;
  for (;;) {
    const result = await attempt();
    if (!('error' in result) || !isTransient(result.error) || leftMs <= pauseMs || stop.reason !== undefined) return result;
    // Counted in pauses, not on a clock: a loop that was blocked for the whole time should still try more than once.
    leftMs -= pauseMs;
    await Promise.race([wait(pauseMs), stopped]);
    if (stop.reason !== undefined) return result;
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
}

export function isTransient(error: unknown): boolean {
  return transientCodes.has((error as NodeJS.ErrnoException).code ?? '');
}

function waitUnreferenced(ms: number): Promise<void> {
  return pause(ms, undefined, { ref: false });
}
