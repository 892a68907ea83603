import { onStop, type StopSignal } from '../job.js';

/** Lets one job after the other use a process. A job that waits too long gives up. */
export class Turns {
  #isTaken = false;
  readonly #waiting = new Set<() => void>();

  get isFree(): boolean {
    return !this.#isTaken;
  }

  /** Resolves to true when it is the caller's turn, in the order of calls. Resolves to false after this time, or when the job is stopped. */
  take(longestMs: number, signal: StopSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (!this.#isTaken) {
      this.#isTaken = true;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const settle = (isTaken: boolean): void => {
        this.#waiting.delete(next);
        clearTimeout(timer);
        forgetSignal();
        resolve(isTaken);
      };
      const next = (): void => settle(true);
      const timer = setTimeout(settle, longestMs, false);
      const forgetSignal = onStop(signal, () => settle(false));
      this.#waiting.add(next);
    });
  }

  /** Ends the turn of the caller. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}
