import type { Detachment, Exit, HookDefinition, HookEvent, HookExecutor, Invocation } from '@tenterhook/protocol';
import { onAbort } from '@tenterhook/runtime/async';
import { createLog } from '@tenterhook/runtime/log';

const log = createLog('runner');

/**
 * Milliseconds that an executor has after the deadline or the abort to settle with its captured output. Less than the 100 ms that the bus
 * waits for the answer to a cancel.
 */
const graceMs = 50;

/** The longest disposal. Our own executor needs less, even if a process survives SIGKILL. */
const longestDisposalMs = 10_000;

type RunOptions = Parameters<HookExecutor['run']>[3];

const known = new WeakMap<HookExecutor, HookExecutor>();

/**
 * Makes an executor of the host keep the promises of `HookExecutor`: each run settles in time, starts once, and rejects if the host's code
 * throws. Otherwise an executor that ignores its signal or the deadline would delay the answers of all other hooks of the event, until they
 * are lost. Our own executors keep these promises themselves, with one timer per run.
 */
export function containExecutor(executor: HookExecutor): HookExecutor {
  let contained = known.get(executor);
  if (contained === undefined) {
    const { kind, queues } = executor;
    contained = {
      kind,
      ...(queues === undefined ? {} : { queues }),
      run: (invocation, hook, event, options) => runInTime(executor, invocation, hook, event, options),
      dispose: async () => executor.dispose?.(),
    };
    known.set(executor, contained);
    known.set(contained, contained);
  }
  return contained;
}

/** Runs one hook and settles in time. A later answer is dropped. */
function runInTime(
  executor: HookExecutor,
  invocation: Invocation,
  hook: HookDefinition,
  event: HookEvent,
  { signal, onStart, onDetach }: RunOptions,
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
      // onStart has no effect after the run was abandoned, or when called a second time: it would move the deadline and send another
      // progress message.
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
      // There are two timers, one after the other. If the agent blocked the event loop past both, the executor still gets a turn of the
      // loop in between, in which it may learn that its process ended in time. That answer may be a deny.
      timer = setTimeout(() => giveUp('timed-out'), Math.max(0, leftMs));
    };
    if (!executor.queues) armDeadline(longestMs);
    const options = { signal, onStart: start, ...(onDetach === undefined ? {} : { onDetach: detach }) };
    const running = async () => executor.run(invocation, hook, event, options);
    running().then(
      (exit) => settle(() => resolve(exit)),
      // fetch() and many other functions reject when their signal aborts. This is not a failure of the hook.
      (error) => settle(() => (signal.aborted ? resolve(end('cancelled')) : reject(error))),
    );
  });
}

/** The exit of an abandoned run. `ownMs`: the timeout of the run, if it is not that of the hook. */
function givenUp(kind: 'cancelled' | 'timed-out', startedAt: number | undefined, longestMs: number, ownMs: number | undefined): Exit {
  if (startedAt === undefined) {
    const message =
      kind === 'cancelled'
        ? 'the event was cancelled while it waited for its turn.'
        : `its executor did not start it within ${longestMs} ms.`;
    return { kind: 'not-started', message, durationMs: 0 };
  }
  const durationMs = performance.now() - startedAt;
  return kind === 'timed-out' && ownMs !== undefined ? { kind, durationMs, timeoutMs: ownMs } : { kind, durationMs };
}

/** Disposes an executor. One that never ends must not block the disposal of the system. Never rejects. */
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
