import { guarded } from '@tenterhook/runtime/log';
import { Observable, type Observer, Subscriber, type Subscription } from 'rxjs';

/** The receiver of a stream's values. */
export interface Sink<Value> {
  next(value: Value): void;
  complete(): void;
}

/**
 * Creates an observable that opens its source for each subscriber, and closes it when the subscriber unsubscribes. It never emits an error,
 * because failures are values on the bus.
 */
export function createStream<Value>(open: (sink: Sink<Value>) => () => void): Observable<Value> {
  return new ContainedObservable<Value>((subscriber) => open(subscriber));
}

/**
 * Logs the errors that observers throw, as the bus does for its subscribers. RxJS would throw such an error in a later turn of the event
 * loop, where no caller can catch it, and the agent would end. Subscribers of RxJS's own operators are not wrapped.
 */
class ContainedObservable<Value> extends Observable<Value> {
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

export type { Observable };
