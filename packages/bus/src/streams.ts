import { Observable } from 'rxjs';

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
  return new Observable<Value>((subscriber) => open(subscriber));
}

export type { Observable };
