/**
 * A cancel that may come. It creates its AbortSignal when this is first read: creating one takes longer than calling a function hook, and
 * few of them read it. Code of this repository adds its callbacks without a signal.
 */
export class Cancellation {
  #controller: AbortController | undefined;
  #callbacks: Set<() => void> | undefined;
  #isAborted = false;
  #reason: unknown;

  get aborted(): boolean {
    return this.#isAborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Only the first call has an effect. */
  abort(reason: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    // A callback that is removed from now on is called nevertheless, and one that is added is not, like the listeners of a signal.
    const called = this.#callbacks ?? [];
    this.#callbacks = undefined;
    for (const callback of called) callback();
  }

  /** Calls `callback` at the abort. Call the returned function to remove the callback. */
  onAbort(callback: () => void): () => void {
    this.#callbacks ??= new Set();
    this.#callbacks.add(callback);
    return () => this.#callbacks?.delete(callback);
  }
}
