/** A promise with its resolve and reject functions. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: unknown): void;
  /**
   * Rejects without an unhandled rejection if the promise is not awaited. For failures that a test does not control: a hook that was killed during a
   * command, a rig that was closed after a failed test. An unhandled rejection would end the whole test run.
   */
  rejectQuietly(error: unknown): void;
}

export function defer<Value>(): Deferred<Value> {
  let resolve!: (value: Value) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<Value>((resolvePromise, rejectPromise) => {
    resolve = resolvePromise;
    reject = rejectPromise;
  });
  const rejectQuietly = (error: unknown): void => {
    promise.catch(() => {});
    reject(error);
  };
  return { promise, resolve, reject, rejectQuietly };
}

/** Settles like the promise, without an unhandled rejection for expected failures. A `catch` on the promise itself would hide every failure. */
export function quietIf<Value>(isExpected: (error: unknown) => boolean, promise: Promise<Value>): Promise<Value> {
  const same = defer<Value>();
  promise.then(same.resolve, (error: unknown) => (isExpected(error) ? same.rejectQuietly(error) : same.reject(error)));
  return same.promise;
}
