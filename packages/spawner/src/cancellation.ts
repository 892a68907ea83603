export type StopReason = 'cancelled' | 'disposed';

/** One job's order to stop, from its signal or from dispose(). Smaller than an AbortController, and the reason has a type. The first reason stays. */
export class StopRequest {
  #reason: StopReason | undefined;
  #action: ((reason: StopReason) => void) | undefined;

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  request(reason: StopReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#action?.(reason);
  }

  /** What to do about it from now on: waiting, running and exited jobs stop differently. Called at once when the order was given already. */
  handle(action: (reason: StopReason) => void): void {
    this.#action = action;
    if (this.#reason !== undefined) action(this.#reason);
  }
}
