/** Handlers of one engine that nobody waits for, at the same time. Beyond it one more is not started: what grows has a bound. */
const maxRunning = 1024;

/** Counts the handlers with `async_execution` that are running. */
export class DetachedCalls {
  #running = 0;

  /** False when there are too many. */
  begin(): boolean {
    if (this.#running >= maxRunning) return false;
    this.#running += 1;
    return true;
  }

  end(): void {
    this.#running -= 1;
  }
}

export function tooManyDetached(hookId: string): string {
  return `The handler of "${hookId}" was not started: ${maxRunning} handlers with async_execution are running.`;
}
