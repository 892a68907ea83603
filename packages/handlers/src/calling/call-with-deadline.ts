import { onAbort } from '@tenterhook/runtime/async';
import type { HandlerContext } from './handler.js';

/** How one call ended. */
export type CallEnd =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' };

/** Calls a handler in this process, or sends the call to another process. */
export type Call = (context: HandlerContext) => unknown;

/**
 * Calls a handler and settles in time, whatever the handler does: with the answer, at the deadline, or when the signal aborts. A handler that
 * answers at once settles at once. A later answer is dropped (decision 40). Never throws and never rejects.
 * `shared` is the timer of consecutive calls; its owner ends it.
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
    // Reading `then` of a handler's object may throw.
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
    // Settled first: an answer that the handler gives because its signal aborts is late.
    settle({ kind });
    context.abort(kind === 'timed-out' ? deadlineReason : 'cancelled');
  };
  // One more turn of the event loop: if the whole process was suspended past the deadline, an answer may be waiting to be read.
  const onDeadline = () => {
    lastTurn = setTimeout(() => giveUp('timed-out'), 0);
  };
  const cancel = () => giveUp('cancelled');
  timer.start(timeoutMs, onDeadline);
  if (signal?.aborted) cancel();
  else if (signal !== undefined) stopListening = onAbort(signal, cancel);
  // Promise.resolve returns a real promise as it is, and calls `then` of any other thenable, which may throw, inside a promise.
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

/** Whether the signal of a handler has aborted because of its deadline. Otherwise its event was cancelled. */
export function isDeadline({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason === deadlineReason;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** Creates its signal when it is first read: most handlers never read it, and it costs more than the rest of a call. */
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
 * The deadline timer of consecutive calls. The calls of one event share it: to create and clear a platform timer for each of them took nearly
 * half of the time of ten handlers, and restarting one takes a fraction of that.
 */
export class CallTimer {
  #timeout: NodeJS.Timeout | undefined;
  #ms: number | undefined;
  #passed: (() => void) | undefined;

  /** Replaces the deadline that was started before. */
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

  /** Does nothing if another call has started since: a late answer must not remove the deadline of the next call. */
  stop(passed: () => void): void {
    if (this.#passed === passed) this.#passed = undefined;
  }

  /** After the last call. A timer that is only stopped keeps running, and would keep the process alive. */
  end(): void {
    clearTimeout(this.#timeout);
  }
}
