export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: unknown): void;
  /**
   * Rejects the promise without an unhandled rejection, even if the promise is not awaited. An unhandled rejection would end the
   * whole test run. Use this method for failures that a test does not cause itself, e.g. a hook that was killed during a command.
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

/**
 * Returns a promise that settles like the given promise. Expected failures cause no unhandled rejection. A `catch` on the given
 * promise was rejected, because it would hide every failure.
 */
export function quietIf<Value>(isExpected: (error: unknown) => boolean, promise: Promise<Value>): Promise<Value> {
  const same = defer<Value>();
  promise.then(same.resolve, (error: unknown) => (isExpected(error) ? same.rejectQuietly(error) : same.reject(error)));
  return same.promise;
}
