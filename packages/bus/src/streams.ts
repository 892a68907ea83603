import { guarded } from '@tenterhook/runtime/log';
import { Observable, type Observer, Subscriber, type Subscription } from 'rxjs';
import { MessageIterator, type SubscribeOptions } from './message-iterator.js';
import { requireIteration } from './require-argument.js';

/** The values of a stream, for one loop. */
export interface StreamIterator<Value> extends AsyncIterableIterator<Value, undefined> {
  /** The number of values that were dropped because the loop was too slow. */
  readonly dropped: number;

  /** Unsubscribes. Called when the loop is left. */
  return(): Promise<IteratorResult<Value, undefined>>;

  /** Unsubscribes, and rejects with the error. Called by a generator that passes values on with `yield*`. */
  throw(error: unknown): Promise<IteratorResult<Value, undefined>>;

  /** Unsubscribes at the end of a scope: `await using values = stream.values()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** An observable whose values can also be read in a loop: `for await (const value of stream)`. */
export interface BusStream<Value> extends Observable<Value>, AsyncIterable<Value, undefined> {
  /**
   * Returns the values for a loop. This call subscribes. Leaving the loop, or aborting the signal, unsubscribes. If more than `maxBuffered`
   * values wait for the loop, the oldest are dropped and counted in `dropped`.
   */
  values(options?: SubscribeOptions): StreamIterator<Value>;
}

/** The receiver of a stream's values. */
export interface Sink<Value> {
  next(value: Value): void;
  complete(): void;
  /** Receives the number of values that its source has dropped. Absent if the receiver does not count them, as observers of RxJS. */
  dropped?(count: number): void;
}

/**
 * Creates an observable that opens its source for each subscriber, and closes it when the subscriber unsubscribes. It never emits an error,
 * because failures are values on the bus.
 */
export function createStream<Value>(open: (sink: Sink<Value>) => () => void): BusStream<Value> {
  return new ContainedObservable<Value>(open);
}

/**
 * Logs the errors that observers throw, as the bus does for its subscribers. RxJS would throw such an error in a later turn of the event
 * loop, where no caller can catch it, and the agent would end. Subscribers of RxJS's own operators are not wrapped.
 */
class ContainedObservable<Value> extends Observable<Value> implements BusStream<Value> {
  readonly #open: (sink: Sink<Value>) => () => void;

  constructor(open: (sink: Sink<Value>) => () => void) {
    super((subscriber) => open(subscriber));
    this.#open = open;
  }

  override subscribe(observer?: Partial<Observer<Value>>): Subscription;
  override subscribe(next?: (value: Value) => void): Subscription;
  override subscribe(
    observerOrNext?: Partial<Observer<Value>> | ((value: Value) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    if (isSubscriber(observerOrNext)) return super.subscribe(observerOrNext as Subscriber<Value>);
    const observer = typeof observerOrNext === 'function' ? { next: observerOrNext, error, complete } : (observerOrNext ?? { complete });
    const contained: Partial<Observer<Value>> = {
      ...(observer.next == null ? {} : { next: guarded((value: Value) => observer.next?.(value), 'an observer of a stream') }),
      ...(observer.error == null ? {} : { error: (failure: unknown) => observer.error?.(failure) }),
      ...(observer.complete == null ? {} : { complete: guarded(() => observer.complete?.(), 'an observer of a stream') as () => void }),
    };
    return super.subscribe(contained);
  }

  /** Opens the source without an observer of RxJS, which could not pass on what the source has dropped. */
  values(options: SubscribeOptions = {}): StreamIterator<Value> {
    requireIteration(options);
    const open = (receive: (value: Value) => void, onClose: () => void, onDropped: (count: number) => void) => {
      // Without this check, a stream of a request would send the request and cancel it.
      if (options.signal?.aborted) {
        onClose();
        return () => {};
      }
      let isOpen = true;
      let close: (() => void) | undefined;
      const end = () => {
        if (!isOpen) return;
        isOpen = false;
        close?.();
      };
      const complete = () => {
        onClose();
        end();
      };
      close = this.#open({ next: (value) => isOpen && receive(value), complete, dropped: onDropped });
      // The source has completed before it returned.
      if (!isOpen) close();
      return end;
    };
    return new MessageIterator('a stream', open, options);
  }

  [Symbol.asyncIterator](): StreamIterator<Value> {
    return this.values();
  }
}

/**
 * Whether a value is a subscriber of RxJS. Users may have their own copy of RxJS with another `Subscriber` class, so the methods are
 * checked too, as RxJS does. Subscribers must not be wrapped: a wrapped one could not close its source, and `take(1)` would leave a
 * subscriber on the bus.
 */
function isSubscriber(value: unknown): boolean {
  if (value instanceof Subscriber) return true;
  if (typeof value !== 'object' || value === null || !('closed' in value)) return false;
  const methods = value as Record<string, unknown>;
  return ['next', 'error', 'complete', 'add', 'remove', 'unsubscribe'].every((name) => typeof methods[name] === 'function');
}
