import type { Detachment, Exit, HookDefinition, HookEvent, HookExecutor, Invocation } from '@tenterhook/protocol';
import { SwitchedSignal } from './switched-signal.js';

/**
 * Milliseconds that an executor gets, after the deadline or the abort, to settle by itself, with what it has captured. Less than
 * the 100 ms that the bus waits for the answer to a cancel.
 */
const graceMs = 50;

/** What becomes of a run that goes on without anybody waiting for it. */
export interface Detaching {
  /** Ends it from then on. */
  readonly signal: AbortSignal;
  readonly onDetach: (detachment: Detachment) => void;
}

export interface Run {
  readonly invocation: Invocation;
  readonly hook: HookDefinition;
  readonly event: HookEvent;
  readonly signal: AbortSignal;
  readonly onStart: () => void;
  /** Absent: it is waited for, whatever it says. */
  readonly detaching?: Detaching;
}

/**
 * Runs a hook and settles in time, whatever the executor does: executors are handed in by hosts, and one that overlooks its signal
 * or a deadline would take the answers of all other hooks of the event with it. What it says later is dropped.
 */
export function settleInTime(executor: HookExecutor, { invocation, hook, event, onStart, detaching, ...run }: Run): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const { timeoutMs, longestMs = timeoutMs } = hook;
    const switched = detaching === undefined ? undefined : new SwitchedSignal(run.signal);
    const signal = switched?.signal ?? run.signal;
    let startedAt: number | undefined;
    let detachment: Detachment | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isSettled = false;
    const settle = (finish: () => void) => {
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      switched?.release();
      finish();
    };
    const end = (kind: 'cancelled' | 'timed-out') => givenUp(kind, startedAt, longestMs, detachment?.timeoutMs);
    const giveUp = (kind: 'cancelled' | 'timed-out') => {
      clearTimeout(timer);
      timer = setTimeout(() => settle(() => resolve(end(kind))), graceMs);
    };
    const onAbort = () => giveUp('cancelled');
    signal.addEventListener('abort', onAbort, { once: true });

    const start = () => {
      // An executor that begins after it was given up begins nothing that anybody waits for. One that begins a second time must neither
      // put the deadline off nor be told of again: progress is bounded by the hooks there are, whatever an executor does.
      if (isSettled || startedAt !== undefined) return;
      startedAt = performance.now();
      armDeadline(longestMs);
      onStart();
    };
    const detach = (asked: Detachment) => {
      if (isSettled || startedAt === undefined || detachment !== undefined || signal.aborted) return;
      detachment = asked;
      switched?.switchTo((detaching as Detaching).signal);
      armDeadline(asked.timeoutMs ?? startedAt + longestMs - performance.now());
      detaching?.onDetach(asked);
    };
    const armDeadline = (leftMs: number) => {
      // What was aborted is being given up already.
      if (signal.aborted) return;
      clearTimeout(timer);
      // Two timers, one after the other: when the agent itself blocked the loop past both, the executor still gets a turn of it in
      // between, in which it hears that its process ended in time. That answer may be a deny.
      timer = setTimeout(() => giveUp('timed-out'), Math.max(0, leftMs));
    };
    if (!executor.queues) armDeadline(longestMs);
    const options = { signal, onStart: start, ...(detaching === undefined ? {} : { onDetach: detach }) };
    const running = async () => executor.run(invocation, hook, event, options);
    running().then(
      (exit) => settle(() => resolve(exit)),
      // fetch() and many others reject when their signal aborts: that is no failure of the hook.
      (error) => settle(() => (signal.aborted ? resolve(end('cancelled')) : reject(error))),
    );
  });
}

/** `ownMs`: the time it had, where that was not the hook's. */
function givenUp(kind: 'cancelled' | 'timed-out', startedAt: number | undefined, longestMs: number, ownMs: number | undefined): Exit {
  if (startedAt === undefined) {
    const message =
      kind === 'cancelled' ? 'the event was cancelled while it waited for its turn.' : `its executor did not begin within ${longestMs} ms.`;
    return { kind: 'not-started', message, durationMs: 0 };
  }
  const durationMs = performance.now() - startedAt;
  return kind === 'timed-out' && ownMs !== undefined ? { kind, durationMs, timeoutMs: ownMs } : { kind, durationMs };
}
