import { guarded } from '@tenterhook/runtime/log';
import { Observable, type Observer, Subscriber, type Subscription } from 'rxjs';

/** What a stream needs of whoever feeds it. */
export interface Sink<Value> {
  next(value: Value): void;
  complete(): void;
}

/**
 * An observable of a source that is opened for each subscriber and closed when it unsubscribes, not before and not longer. It never errors:
 * failures are values on the bus. Streams are built at the edge, when somebody subscribes, and are never on the path of a request.
 */
export function createStream<Value>(open: (sink: Sink<Value>) => () => void): Observable<Value> {
  return new ContainedObservable<Value>((subscriber) => open(subscriber));
}

/**
 * An observer that throws is logged, as a subscriber of the bus is. RxJS would throw it again in a turn of its own, where nobody can catch it,
 * and a bug in what watches an agent would end the agent. What operators do is theirs: they subscribe with subscribers of their own.
 */
class ContainedObservable<Value> extends Observable<Value> {
  override subscribe(observer?: Partial<Observer<Value>>): Subscription;
  override subscribe(next?: (value: Value) => void): Subscription;
  override subscribe(
    observerOrNext?: Partial<Observer<Value>> | ((value: Value) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    if (observerOrNext instanceof Subscriber) return super.subscribe(observerOrNext);
    const observer = typeof observerOrNext === 'function' ? { next: observerOrNext, error, complete } : (observerOrNext ?? { complete });
    const contained: Partial<Observer<Value>> = {
      ...(observer.next == null ? {} : { next: guarded((value: Value) => observer.next?.(value), 'an observer of a stream') }),
      ...(observer.error == null ? {} : { error: (failure: unknown) => observer.error?.(failure) }),
      ...(observer.complete == null ? {} : { complete: guarded(() => observer.complete?.(), 'an observer of a stream') as () => void }),
    };
    return super.subscribe(contained);
  }
}

export type { Observable };
