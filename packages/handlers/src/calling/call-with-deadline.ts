import { onAbort } from '@tenterhook/runtime/async';
import type { HandlerContext } from './handler.js';

/** How one call of a handler ended. */
export type CallEnd =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' };

/** Calls a handler in this process, or sends the call to another process. */
export type Call = (context: HandlerContext) => unknown;

/**
 * Calls a handler and settles in time, whatever the handler does: with its answer, at the deadline, or when the signal aborts. If the
 * handler answers at once, the result is not a promise. Late answers are dropped (decision 40). Never throws or rejects. `shared` is a
 * timer that consecutive calls can share. The caller must end it after the last call.
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
    // This line is inside the `try`, because the handler may return an object whose `then` throws when it is read.
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
    // The call is settled before the handler's signal aborts. If the handler answers because of the abort, this answer is ignored.
    settle({ kind });
    context.abort(kind === 'timed-out' ? deadlineReason : 'cancelled');
  };
  // The whole process may have been suspended past the deadline. Then an answer may have arrived in time. It is read in one more turn of
  // the event loop.
  const onDeadline = () => {
    lastTurn = setTimeout(() => giveUp('timed-out'), 0);
  };
  const cancel = () => giveUp('cancelled');
  timer.start(timeoutMs, onDeadline);
  if (signal?.aborted) cancel();
  else if (signal !== undefined) stopListening = onAbort(signal, cancel);
  // The answer may be any object with a `then` method. Promise.resolve turns a throw of that method into a rejection.
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

/** Whether the deadline aborted a handler's signal. If not, the event was cancelled. */
export function isDeadline({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason === deadlineReason;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/**
 * The context of one call. The signal is created when it is first read, because most handlers never read it. Creating it takes longer than
 * the rest of a call.
 */
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

/**
 * The deadline timer that all calls of one event share. A platform timer for each call was rejected: creating and clearing the timers
 * took nearly half of the time of ten handlers. Restarting one timer takes a fraction of that.
 */
export class CallTimer {
  #timeout: NodeJS.Timeout | undefined;
  #ms: number | undefined;
  #passed: (() => void) | undefined;

  /** Starts a deadline, which replaces the previous one. */
  start(ms: number, passed: () => void): void {
    this.#passed = passed;
    if (ms === this.#ms) {
      this.#timeout?.refresh();
      return;
    }
    clearTimeout(this.#timeout);
    this.#ms = ms;
    this.#timeout = setTimeout(() => this.#passed?.(), ms);
  }

  /** Stops the deadline of this call. The deadline of a later call continues, even if this call answers late. */
  stop(passed: () => void): void {
    if (this.#passed === passed) this.#passed = undefined;
  }

  /** Must be called after the last call. Otherwise the platform timer would keep the process alive. */
  end(): void {
    clearTimeout(this.#timeout);
  }
}
