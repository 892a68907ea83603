import { type Abortable, Cancellation, DeadlineTimer, onAbort } from '@tenterhook/runtime/async';
import type { HandlerContext } from './handler.js';

export type CallEnd =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' };

/** A handler in this process, or a function that sends the call to another process. */
export type Call = (context: HandlerContext) => unknown;

/**
 * Calls a handler and settles in time, whatever the handler does: with its answer, at the deadline, or when the signal aborts. Late
 * answers are dropped (decision 40). If the handler answers at once, the result is not a promise. Never throws or rejects. `shared`
 * is a timer for consecutive calls; the caller must end it after the last call.
 */
export function callWithDeadline(
  call: Call,
  timeoutMs: number,
  signal: Abortable | undefined,
  shared?: DeadlineTimer,
): CallEnd | Promise<CallEnd> {
  const context = new Cancellation();
  try {
    const answer = call(context);
    // Inside the `try`, because the handler may return an object whose `then` throws when it is read.
    if (!isThenable(answer)) return { kind: 'answered', answer };
    return new Promise((resolve) => settleOnce(answer, context, timeoutMs, signal, shared, resolve));
  } catch (error) {
    return { kind: 'threw', error };
  }
}

function settleOnce(
  answer: PromiseLike<unknown>,
  context: Cancellation,
  timeoutMs: number,
  signal: Abortable | undefined,
  shared: DeadlineTimer | undefined,
  resolve: (end: CallEnd) => void,
): void {
  const timer = shared ?? new DeadlineTimer();
  let stopListening: (() => void) | undefined;
  let lastTurn: NodeJS.Timeout | undefined;
  const settle = (end: CallEnd) => {
    timer.stop(onDeadline);
    if (lastTurn !== undefined) clearTimeout(lastTurn);
    if (shared === undefined) timer.end();
    stopListening?.();
    resolve(end);
  };
  const giveUp = (kind: 'timed-out' | 'cancelled') => {
    // The call is settled before the handler's signal aborts. A handler may answer because of the abort, and this answer must be
    // ignored.
    settle({ kind });
    context.abort(kind === 'timed-out' ? deadlineReason : 'cancelled');
  };
  // If the whole process was suspended past the deadline, an answer that arrived in time may not have been read yet. One more turn
  // of the event loop reads it.
  const onDeadline = () => {
    lastTurn = setTimeout(() => giveUp('timed-out'), 0);
  };
  const cancel = () => giveUp('cancelled');
  timer.start(timeoutMs, onDeadline);
  if (signal?.aborted) cancel();
  else if (signal !== undefined) stopListening = onAbort(signal, cancel);
  // `answer.then` may be any function, and may throw. `Promise.resolve` turns a throw into a rejection.
  try {
    Promise.resolve(answer).then(
      (value) => settle({ kind: 'answered', answer: value }),
      (error) => settle({ kind: 'threw', error }),
    );
  } catch (error) {
    settle({ kind: 'threw', error });
  }
}

const deadlineReason = 'timeout';

/** Tests whether a handler's signal was aborted by the deadline. If not, the event was cancelled. */
export function isDeadline({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason === deadlineReason;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
