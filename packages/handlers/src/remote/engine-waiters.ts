export interface WaitOptions {
  /** Milliseconds, 1 to 2147483647. @default 5000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Those who wait for an engine: each is asked again whenever one was heard of. */
export class EngineWaiters {
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  /** Resolves to true as soon as it is there, to false when that takes too long, its signal aborts or nothing more is heard. */
  wait(isThere: () => boolean, { timeoutMs = 5000, signal }: WaitOptions): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (found: boolean) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#waiting.delete(look);
        resolve(found);
      };
      const look = () => {
        if (isThere()) settle(true);
        else if (this.#isClosed) settle(false);
      };
      const giveUp = () => settle(false);
      const timer = setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(look);
      if (signal?.aborted) giveUp();
      else look();
    });
  }

  look(): void {
    for (const look of [...this.#waiting]) look();
  }

  close(): void {
    this.#isClosed = true;
    this.look();
  }
}
