import { onAbort } from '@tenterhook/runtime/async';

/** Why a job is stopped: its own signal was aborted, or the spawner was disposed. The two differ in the grace that its processes get. */
export type StopReason = 'cancelled' | 'disposed';

/** The signal of one job, from the queue to the kill. It aborts with one of the reasons; the first one stays. */
export interface StopSignal extends AbortSignal {
  readonly reason: StopReason;
}

/** Calls back when the job is stopped, at once if it is already, unless the returned function is called first. */
export function onStop(signal: StopSignal, callback: (reason: StopReason) => void): () => void {
  if (!signal.aborted) return onAbort(signal, () => callback(signal.reason));
  callback(signal.reason);
  return () => {};
}
