import type { Exit, HookDefinition, HookEvent, HookExecutor, Invocation } from '@tenterhook/protocol';

/**
 * Milliseconds that an executor gets, after the deadline or the abort, to settle by itself, with what it has captured. Less than
 * the 100 ms that the bus waits for the answer to a cancel.
 */
const graceMs = 50;

export interface Run {
  readonly invocation: Invocation;
  readonly hook: HookDefinition;
  readonly event: HookEvent;
  readonly signal: AbortSignal;
  readonly onStart: () => void;
}

/**
 * Runs a hook and settles in time, whatever the executor does: executors are handed in by hosts, and one that overlooks its signal
 * or a deadline would take the answers of all other hooks of the event with it. What it says later is dropped.
 */
export function settleInTime(executor: HookExecutor, { invocation, hook, event, signal, onStart }: Run): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const { timeoutMs, longestMs = timeoutMs } = hook;
    let startedAt: number | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isSettled = false;
    const settle = (finish: () => void) => {
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const giveUp = (kind: 'cancelled' | 'timed-out') => {
      clearTimeout(timer);
      timer = setTimeout(() => settle(() => resolve(givenUp(kind, startedAt, longestMs))), graceMs);
    };
    const onAbort = () => giveUp('cancelled');
    signal.addEventListener('abort', onAbort, { once: true });

    const start = () => {
      // An executor that begins after it was given up begins nothing that anybody waits for. One that begins a second time must neither
      // put the deadline off nor be told of again: progress is bounded by the hooks there are, whatever an executor does.
      if (isSettled || startedAt !== undefined) return;
      startedAt = performance.now();
      armDeadline();
      onStart();
    };
    const armDeadline = () => {
      // What was aborted is being given up already.
      if (signal.aborted) return;
      clearTimeout(timer);
      // Two timers, one after the other: when the agent itself blocked the loop past both, the executor still gets a turn of it in
      // between, in which it hears that its process ended in time. That answer may be a deny.
      timer = setTimeout(() => giveUp('timed-out'), longestMs);
    };
    if (!executor.queues) armDeadline();
    const run = async () => executor.run(invocation, hook, event, { signal, onStart: start });
    run().then(
      (exit) => settle(() => resolve(exit)),
      // fetch() and many others reject when their signal aborts: that is no failure of the hook.
      (error) => settle(() => (signal.aborted ? resolve(givenUp('cancelled', startedAt, longestMs)) : reject(error))),
    );
  });
}

function givenUp(kind: 'cancelled' | 'timed-out', startedAt: number | undefined, timeoutMs: number): Exit {
  if (startedAt !== undefined) return { kind, durationMs: performance.now() - startedAt };
  const message =
    kind === 'cancelled' ? 'the event was cancelled while it waited for its turn.' : `its executor did not begin within ${timeoutMs} ms.`;
  return { kind: 'not-started', message, durationMs: 0 };
}
