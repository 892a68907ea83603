import { type Abortable, Cancellation, LinkedSignal } from '@tenterhook/runtime/async';

/** The events in progress. An event is aborted when its request is aborted or the system shuts down. */
export class InFlightEvents {
  readonly #events = new Map<LinkedSignal, Promise<unknown>>();
  readonly #shutDown = new Cancellation();

  /**
   * Aborts with the reason `disposed` when the system shuts down. It also ends async hooks, which continue after their event.
   */
  get shutDownSignal(): Abortable {
    return this.#shutDown;
  }

  /**
   * Runs the work of an event with a signal. The signal aborts when the request aborts, with the same reason, or when the system shuts
   * down.
   */
  async run<Answer>(request: Abortable, work: (signal: Abortable) => Promise<Answer>): Promise<Answer> {
    const event = new LinkedSignal(request);
    if (this.#shutDown.aborted) event.abort('disposed');
    const answer = work(event);
    this.#events.set(event, answer);
    try {
      return await answer;
    } finally {
      event.release();
      this.#events.delete(event);
    }
  }

  /** Aborts all events, and resolves when each has its answer. */
  async shutDown(): Promise<void> {
    this.#shutDown.abort('disposed');
    for (const event of this.#events.keys()) event.abort('disposed');
    await Promise.allSettled(this.#events.values());
  }
}
