import { guarded } from '@tenterhook/runtime/log';
import { Observable, type Observer, Subscriber, type Subscription } from 'rxjs';

/** What the source of a stream writes to. */
export interface Sink<Value> {
  next(value: Value): void;
  complete(): void;
}

/**
 * An observable whose source is opened for each subscriber and closed when it unsubscribes, not before and not after. It never errors:
 * failures are values on the bus. Streams are built when a caller subscribes, and are never on the path of a request.
 */
export function createStream<Value>(open: (sink: Sink<Value>) => () => void): Observable<Value> {
  return new ContainedObservable<Value>((subscriber) => open(subscriber));
}

/**
 * Logs an observer that throws, as the bus does for its subscribers. RxJS would throw the error again in a later turn, where no caller can
 * catch it, and a bug in an observer would end the agent. Operators are left alone: they subscribe with subscribers of their own.
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
 * Also by shape, with the test that RxJS itself uses: users bring a copy of RxJS of their own, whose operators subscribe with a `Subscriber`
 * of another class. Wrapped like an observer, it could not close its source, and `take(1)` would leave a subscriber on the bus.
 */
function isSubscriber(value: unknown): boolean {
  if (value instanceof Subscriber) return true;
  if (typeof value !== 'object' || value === null || !('closed' in value)) return false;
  const methods = value as Record<string, unknown>;
  return ['next', 'error', 'complete', 'add', 'remove', 'unsubscribe'].every((name) => typeof methods[name] === 'function');
}

export type { Observable };
