import { setMaxListeners } from 'node:events';

/** Events that are being carried out. Each ends with its own request, and all of them when the system is shut down. */
export class InFlightEvents {
  readonly #events = new Map<AbortController, Promise<unknown>>();
  readonly #shutDown = new AbortController();

  constructor() {
    setMaxListeners(0, this.#shutDown.signal);
  }

  /** Aborts when the system is shut down; async hooks, which outlive their event, end with it. */
  get shutDownSignal(): AbortSignal {
    return this.#shutDown.signal;
  }

  /** Runs the work with a signal that aborts with the request's, and with the system. */
  carry<Answer>(requestSignal: AbortSignal, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    // Not AbortSignal.any(): its listeners on a signal that lives as long as the system are not let go on Node 20.
    const control = new AbortController();
    // Every hook of the event listens to it, and they are bounded by what is configured: no leak that Node should warn of.
    setMaxListeners(0, control.signal);
    const abort = () => control.abort(requestSignal.reason);
    if (requestSignal.aborted) abort();
    else requestSignal.addEventListener('abort', abort, { once: true });
    if (this.#shutDown.signal.aborted) control.abort('disposed');

    const answer = work(control.signal).finally(() => {
      requestSignal.removeEventListener('abort', abort);
      this.#events.delete(control);
    });
    this.#events.set(control, answer);
    return answer;
  }

  /** Aborts everything, and resolves when every event has its answer. */
  async shutDown(): Promise<void> {
    this.#shutDown.abort('disposed');
    for (const control of this.#events.keys()) control.abort('disposed');
    await Promise.allSettled(this.#events.values());
  }
}
