import { onAbort } from '@tenterhook/runtime/async';

/** How long a caller waits for an engine. */
export interface WaitOptions {
  /** The maximum time to wait, in milliseconds, from 1 to 2147483647. @default 5000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The callers that wait for an engine. Each message of an engine causes a test of their conditions. */
export class EngineWaiters {
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  /** Resolves to true when the engine is present. Resolves to false after a timeout, an abort or `close()`. */
  wait(isThere: () => boolean, { timeoutMs = 5000, signal }: WaitOptions): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (found: boolean) => {
        clearTimeout(timer);
        stopListening?.();
        this.#waiting.delete(look);
        resolve(found);
      };
      const look = () => {
        if (isThere()) settle(true);
        else if (this.#isClosed) settle(false);
      };
      const giveUp = () => settle(false);
      const timer = setTimeout(giveUp, timeoutMs);
      const stopListening = signal === undefined ? undefined : onAbort(signal, giveUp);
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
