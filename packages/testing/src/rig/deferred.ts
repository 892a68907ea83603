/** A promise with its settling functions outside. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: unknown): void;
  /**
   * Rejects without an unhandled rejection where the promise is not awaited. For failures outside the control of a test: a hook that was
   * killed during a command, a rig that was closed after a failed test. Either would end the whole test run.
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

/** Settles as the promise does, quietly where it fails as expected. A `catch` on the promise itself would make every failure quiet. */
export function quietIf<Value>(isExpected: (error: unknown) => boolean, promise: Promise<Value>): Promise<Value> {
  const same = defer<Value>();
  promise.then(same.resolve, (error: unknown) => (isExpected(error) ? same.rejectQuietly(error) : same.reject(error)));
  return same.promise;
}
