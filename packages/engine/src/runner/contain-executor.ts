import type { Detachment, Exit, HookDefinition, HookEvent, HookExecutor, Invocation } from '@tenterhook/protocol';
import { keepsPromises } from '@tenterhook/protocol/internal';
import { onAbort } from '@tenterhook/runtime/async';
import { createLog } from '@tenterhook/runtime/log';

const log = createLog('runner');

/**
 * The time in milliseconds that an executor has to settle after the deadline or the abort, with its output so far. It is less than the
 * 100 ms that the bus waits for the answer to a cancel.
 */
const graceMs = 50;

/** The maximum time of a disposal in milliseconds. The executor of commands needs less, even if a process does not end after SIGKILL. */
const longestDisposalMs = 10_000;

type RunOptions = Parameters<HookExecutor['run']>[3];

const known = new WeakMap<HookExecutor, HookExecutor>();

/**
 * Wraps an executor of the host so that it keeps the promises of `HookExecutor`. Each run settles in time, starts once, and rejects if the
 * host's code throws. Otherwise an executor that ignores its signal or the deadline would delay the answers of all hooks of the event. The
 * executors of this package keep these promises themselves, and so does that of handlers with hooks that no host has changed.
 */
export function containExecutor(executor: HookExecutor): HookExecutor {
  let contained = known.get(executor);
  if (contained === undefined) {
    const { kind, queues } = executor;
    contained = {
      kind,
      ...(queues === undefined ? {} : { queues }),
      // Tested at each run, because a host may replace the method later.
      run: (invocation, hook, event, options) =>
        keepsPromises(executor, hook)
          ? executor.run(invocation, hook, event, options)
          : runInTime(executor, copyOf(invocation), hook, event, options),
      dispose: async () => executor.dispose?.(),
    };
    known.set(executor, contained);
    known.set(contained, contained);
  }
  return contained;
}

/** Returns a copy that a host may change: the environment of a command is frozen, because the next event may use it. */
function copyOf(invocation: Invocation): Invocation {
  return invocation.kind === 'command' ? { ...invocation, env: { ...invocation.env } } : invocation;
}

/** Runs one hook and settles in time. A later answer is dropped. */
function runInTime(
  executor: HookExecutor,
  invocation: Invocation,
  hook: HookDefinition,
  event: HookEvent,
  { signal, onStart, mayStart, isTouched, onDetach }: RunOptions,
): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const { timeoutMs, longestMs = timeoutMs } = hook;
    let startedAt: number | undefined;
    let detachment: Detachment | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isSettled = false;
    const settle = (finish: () => void) => {
      isSettled = true;
      clearTimeout(timer);
      forgetSignal();
      finish();
    };
    const end = (kind: 'cancelled' | 'timed-out') => givenUp(kind, startedAt, longestMs, detachment?.timeoutMs);
    const giveUp = (kind: 'cancelled' | 'timed-out') => {
      clearTimeout(timer);
      timer = setTimeout(() => settle(() => resolve(end(kind))), graceMs);
    };
    const forgetSignal = onAbort(signal, () => giveUp('cancelled'));

    const start = () => {
      // Only the first call counts, and only before the run is abandoned. Another call would move the deadline or send a second progress
      // message.
      if (isSettled || startedAt !== undefined) return;
      startedAt = performance.now();
      armDeadline(longestMs);
      onStart();
    };
    const detach = (asked: Detachment) => {
      if (isSettled || startedAt === undefined || detachment !== undefined || signal.aborted) return;
      detachment = asked;
      armDeadline(asked.timeoutMs ?? startedAt + longestMs - performance.now());
      onDetach?.(asked);
    };
    const armDeadline = (leftMs: number) => {
      // After an abort, the run is already being abandoned.
      if (signal.aborted) return;
      clearTimeout(timer);
      // `giveUp` sets a second timer. If the agent blocks the event loop until both timers are due, the executor still gets a turn
      // between them. In this turn it may find that its process ended in time. With one longer timer the answer of the process would be
      // lost, and the answer may be a deny.
      timer = setTimeout(() => giveUp('timed-out'), Math.max(0, leftMs));
    };
    if (!executor.queues) armDeadline(longestMs);
    const options = {
      signal,
      onStart: start,
      ...(mayStart === undefined ? {} : { mayStart }),
      ...(isTouched === undefined ? {} : { isTouched }),
      ...(onDetach === undefined ? {} : { onDetach: detach }),
    };
    const running = async () => executor.run(invocation, hook, event, options);
    running().then(
      (exit) => settle(() => resolve(exit)),
      // Many functions, such as fetch(), reject when their signal aborts. Such a rejection is not a failure of the hook.
      (error) => settle(() => (signal.aborted ? resolve(end('cancelled')) : reject(error))),
    );
  });
}

/** Returns the exit of an abandoned run. `ownMs` is the timeout of this run, if it differs from the timeout of the hook. */
function givenUp(kind: 'cancelled' | 'timed-out', startedAt: number | undefined, longestMs: number, ownMs: number | undefined): Exit {
  if (startedAt === undefined) {
    const message =
      kind === 'cancelled'
        ? 'the event was cancelled while the hook waited for its turn.'
        : `its executor did not start it within ${longestMs} ms.`;
    return { kind: 'not-started', message, durationMs: 0 };
  }
  const durationMs = performance.now() - startedAt;
  return kind === 'timed-out' && ownMs !== undefined ? { kind, durationMs, timeoutMs: ownMs } : { kind, durationMs };
}

/**
 * Disposes an executor. Waits only for a limited time, because a disposal that never ends must not block the disposal of the system.
 * Never rejects.
 */
export async function disposeInTime(executor: HookExecutor): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log('the executor "%s" was not disposed within %d ms and is abandoned', executor.kind, longestDisposalMs);
      resolve();
    }, longestDisposalMs);
  });
  try {
    await Promise.race([executor.dispose?.(), tooLong]);
  } catch (error) {
    log('the executor "%s" could not be disposed: %O', executor.kind, error);
  } finally {
    clearTimeout(timer);
  }
}
