import { onAbort } from '@tenterhook/runtime/async';
import { createLog } from '@tenterhook/runtime/log';
import { requireCount, requireSignal } from './require-argument.js';

const log = createLog('bus');

/** How the messages of a channel are iterated. */
export interface SubscribeOptions {
  /** Ends the iteration without an error. Waiting messages are discarded. @default the iteration ends with the loop or with the bus */
  readonly signal?: AbortSignal | undefined;

  /**
   * The maximum number of messages that wait for the loop, an integer from 1. Beyond it the oldest are dropped, and `dropped` counts them.
   * @default 1024
   */
  readonly maxBuffered?: number | undefined;
}

/**
 * Opens a subscription, and returns the function that closes it. `onClose` may be called before this returns. `onDropped` receives the number
 * of messages that were dropped before they reached the iterator.
 */
export type OpenSubscription<Message> = (
  receive: (message: Message) => void,
  onClose: () => void,
  onDropped: (count: number) => void,
) => () => void;

/**
 * The messages of a channel, for one `for await` loop. The subscription begins when the iterator is created, so that no message is missed
 * before the loop begins. It ends when the loop is left, the signal aborts, or the bus is closed. If the bus is closed, the loop still
 * receives the messages that were waiting.
 *
 * The bus does not wait for the loop. If the loop is too slow, it loses the oldest messages, because a display needs the most recent ones.
 * A subscriber that needs every message passes a function to `subscribe()`.
 */
export class MessageIterator<Message> implements AsyncIterableIterator<Message, undefined> {
  readonly #maxBuffered: number;
  readonly #buffer: Message[] = [];
  /** Calls of next() that wait for a message. If there are any, the buffer is empty. */
  readonly #waiting: ((result: IteratorResult<Message, undefined>) => void)[] = [];
  readonly #unsubscribe: () => void;
  #forgetSignal: (() => void) | undefined;
  #dropped = 0;
  #isEnded = false;

  /** Throws a TypeError for wrong options. */
  constructor(channel: string, open: OpenSubscription<Message>, { signal, maxBuffered = 1024 }: SubscribeOptions) {
    requireSignal(signal);
    requireCount('maxBuffered', maxBuffered);
    this.#maxBuffered = maxBuffered;
    this.#unsubscribe = open(
      (message) => this.#receive(message, channel),
      () => this.#end(),
      (count) => this.#drop(count, channel),
    );
    if (signal?.aborted) this.#discard();
    else if (signal !== undefined && !this.#isEnded) this.#forgetSignal = onAbort(signal, () => this.#discard());
  }

  /** The number of messages that were dropped because the loop was too slow. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Resolves to the next message, or to `done` after the end. */
  next(): Promise<IteratorResult<Message, undefined>> {
    if (this.#buffer.length > 0) return Promise.resolve({ done: false, value: this.#buffer.shift() as Message });
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the subscription. Called when a `for await` loop is left. */
  return(): Promise<IteratorResult<Message, undefined>> {
    this.#discard();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends the subscription, and rejects with the error. Called by a generator that passes messages on with `yield*`. */
  throw(error: unknown): Promise<IteratorResult<Message, undefined>> {
    this.#discard();
    return Promise.reject(error);
  }

  /** Returns the iterator itself, for a `for await` loop. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Calls `return()` at the end of a scope: `await using messages = bus.subscribe(…)`. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#discard();
  }

  #receive(message: Message, channel: string): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next({ done: false, value: message });
      return;
    }
    this.#buffer.push(message);
    if (this.#buffer.length <= this.#maxBuffered) return;
    this.#buffer.shift();
    this.#drop(1, channel);
  }

  #drop(count: number, channel: string): void {
    if (this.#dropped === 0) log('an iterator of %s is too slow: its oldest message was dropped', channel);
    this.#dropped += count;
  }

  #discard(): void {
    this.#buffer.length = 0;
    this.#unsubscribe();
    this.#end();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#forgetSignal?.();
    for (const resolve of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
  }
}
