/** A signal that aborts with another one, until it is told to follow a third. Whoever listens to it hears nothing of the switch. */
export class SwitchedSignal {
  readonly #control = new AbortController();
  #followed: AbortSignal;

  constructor(followed: AbortSignal) {
    this.#followed = followed;
    this.#follow();
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  switchTo(followed: AbortSignal): void {
    this.release();
    this.#followed = followed;
    this.#follow();
  }

  /** Listens to nothing any more: what is followed lives longer. */
  release(): void {
    this.#followed.removeEventListener('abort', this.#abort);
  }

  #follow(): void {
    if (this.#followed.aborted) this.#abort();
    else this.#followed.addEventListener('abort', this.#abort, { once: true });
  }

  readonly #abort = (): void => this.#control.abort(this.#followed.reason);
}
