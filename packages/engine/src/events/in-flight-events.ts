import { setMaxListeners } from 'node:events';
import { LinkedSignal } from '@tenterhook/runtime/async';

/** Events that are being carried out. Each ends with its own request, and all of them when the system shuts down. */
export class InFlightEvents {
  readonly #events = new Map<LinkedSignal, Promise<unknown>>();
  readonly #shutDown = new AbortController();

  constructor() {
    setMaxListeners(0, this.#shutDown.signal);
  }

  /** Aborts when the system shuts down, with the reason `disposed`. Async hooks outlive their event and end with it. */
  get shutDownSignal(): AbortSignal {
    return this.#shutDown.signal;
  }

  /** Runs the work with the signal of the event: it aborts with the request's, for the same reason, and with the system. */
  run<Answer>(requestSignal: AbortSignal, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const event = new LinkedSignal(requestSignal);
    // Every hook of the event listens to it, and their number is bounded by the settings: not a leak that Node should warn of.
    setMaxListeners(0, event.signal);
    if (this.#shutDown.signal.aborted) event.abort('disposed');

    const answer = work(event.signal).finally(() => {
      event.release();
      this.#events.delete(event);
    });
    this.#events.set(event, answer);
    return answer;
  }

  /** Aborts all events, and resolves when each has its answer. */
  async shutDown(): Promise<void> {
    this.#shutDown.abort('disposed');
    for (const event of this.#events.keys()) event.abort('disposed');
    await Promise.allSettled(this.#events.values());
  }
}
