/** Runs tasks with the same key one after another, in the order of the calls, and all others side by side. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Waits at most `waitMs` for the tasks before. Without a key, the task runs at once. */
  async run<Result>(key: string | undefined, waitMs: number, task: () => Promise<Result>): Promise<Result> {
    if (key === undefined) return task();
    const before = this.#last.get(key);
    const own = (before === undefined ? Promise.resolve() : atMost(before, waitMs)).then(task);
    const ended = own.catch(() => {});
    this.#last.set(key, ended);
    try {
      return await own;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}

async function atMost(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    promise,
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    }),
  ]);
  clearTimeout(timer);
}
