import { onAbort } from './on-abort.js';

/**
 * A signal that aborts with another one, for the same reason, or by an `abort` of its own. `AbortSignal.any()` would do the first, but on Node
 * 20 its listeners on a long-lived signal are never removed.
 */
export class LinkedSignal {
  readonly #control = new AbortController();
  #stopFollowing: () => void = () => {};

  constructor(followed: AbortSignal) {
    this.follow(followed);
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  /** Follows this signal from now on, in place of the one before. */
  follow(followed: AbortSignal): void {
    this.release();
    if (followed.aborted) this.abort(followed.reason);
    else this.#stopFollowing = onAbort(followed, () => this.abort(followed.reason));
  }

  abort(reason: unknown): void {
    this.#control.abort(reason);
  }

  /** Removes the listener: the followed signal may live longer. */
  release(): void {
    this.#stopFollowing();
    this.#stopFollowing = () => {};
  }
}
