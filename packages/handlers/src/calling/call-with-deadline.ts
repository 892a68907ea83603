import { onAbort as onAbortOf } from '@tenterhook/runtime/async';
import { CallTimer } from './call-timer.js';
import type { HandlerContext } from './handler.js';

/** How one call ended. */
export type CallEnd =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' };

/** A handler of this process, or the way to one of another. */
export type Call = (context: HandlerContext) => unknown;

/**
 * Calls, and settles in time whatever is called: at the deadline, when the signal aborts, or with the answer, which comes at once when the
 * handler answers at once. What a handler says later is dropped (decision 40). Never throws and never rejects.
 * `shared` is the timer of calls that come one after another; whoever made it ends it.
 */
export function callWithDeadline(
  call: Call,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  shared?: CallTimer,
): CallEnd | Promise<CallEnd> {
  const context = new CallContext();
  try {
    const answer = call(context);
    // Reading `then` is reading what a handler made, and may throw.
    if (!isThenable(answer)) return { kind: 'answered', answer };
    return new Promise((resolve) => settleOnce(answer, context, timeoutMs, signal, shared, resolve));
  } catch (error) {
    return { kind: 'threw', error };
  }
}

function settleOnce(
  answer: PromiseLike<unknown>,
  context: CallContext,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  shared: CallTimer | undefined,
  resolve: (end: CallEnd) => void,
): void {
  const timer = shared ?? new CallTimer();
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
    // Settled first: what the handler does when its signal aborts is late.
    settle({ kind });
    context.abort(kind === 'timed-out' ? deadlineReason : 'cancelled');
  };
  // One more turn of the loop: where the whole process was stopped past the deadline, an answer from another process may lie there, unread.
  const onDeadline = () => {
    lastTurn = setTimeout(() => giveUp('timed-out'), 0);
  };
  const onAbort = () => giveUp('cancelled');
  timer.start(timeoutMs, onDeadline);
  // One listener for a signal, however many calls share it: Node warns of more than ten.
  if (signal?.aborted) onAbort();
  else if (signal !== undefined) stopListening = onAbortOf(signal, onAbort);
  // A promise stays the one it is; what only looks like one may throw when it is asked, and is asked inside this one.
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

/** Whether a signal that a handler was given has aborted because its time is over; else its event was cancelled. */
export function isDeadline({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason === deadlineReason;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** Makes its signal when it is first read: most handlers never do, and it costs more than all the rest of a call. */
class CallContext implements HandlerContext {
  #controller: AbortController | undefined;
  #reason: string | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: string): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
