const firstMs = 50;
const longestMs = 2000;

/** Milliseconds until the next attempt: 50, doubling to 2000. */
export function retryDelay(attempt: number): number {
  return Math.min(firstMs * 2 ** Math.min(attempt, 10), longestMs);
}

/**
 * Waits between attempts. It keeps the process alive as long as something is wanted from the hub, because a process that only serves has nothing
 * else to live for while its agent starts anew; and not otherwise, because one that only published must be able to end.
 */
export class RetryTimer {
  readonly #isWanted: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #resolve: (() => void) | undefined;

  constructor(isWanted: () => boolean) {
    this.#isWanted = isWanted;
  }

  wait(attempt: number): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#timer = setTimeout(resolve, retryDelay(attempt));
      this.update();
    });
  }

  /** What is wanted has changed. */
  update(): void {
    if (this.#isWanted()) this.#timer?.ref();
    else this.#timer?.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#resolve?.();
  }
}
