import type { Exit } from '@tenterhook/protocol';
import { LinkedSignal, onAbort } from '@tenterhook/runtime/async';
import { Limiter } from '@tenterhook/spawner/internal';

export interface QueueBounds {
  /** Maximum number of concurrent runs. */
  readonly concurrency: number;
  /** Maximum number of runs that wait for their turn. */
  readonly queued: number;
}

/** Runs work in the order of arrival, with the same limits as for processes. */
export class TurnQueue {
  readonly #limiter: Limiter;
  readonly #queued: number;
  /** One entry for each run that has not settled. */
  readonly #runs = new Map<LinkedSignal, Promise<unknown>>();
  #isDisposed = false;

  constructor({ concurrency, queued }: QueueBounds) {
    this.#limiter = new Limiter(concurrency);
    this.#queued = queued;
  }

  /**
   * Calls `work` when it reaches the front of the queue. Its signal aborts with the given signal and when the queue is disposed. `work`
   * must then settle, and must never reject.
   */
  run(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Exit>): Promise<Exit> {
    if (this.#isDisposed) return Promise.resolve(notStarted('disposed'));
    if (signal.aborted) return Promise.resolve(notStarted('cancelled'));
    if (!this.#limiter.hasFreeSlot && this.#limiter.queued >= this.#queued) return Promise.resolve(notStarted('overloaded'));

    const linked = new LinkedSignal(signal);
    const settled = new Promise<Exit>((resolve, reject) => {
      let leave = () => {};
      const stopWaiting = onAbort(linked.signal, () => {
        leave();
        resolve(notStarted(this.#isDisposed ? 'disposed' : 'cancelled'));
      });
      leave = this.#limiter.enter(async () => {
        stopWaiting();
        await work(linked.signal).then(resolve, reject);
      });
    });
    const ended = settled.finally(() => {
      linked.release();
      this.#runs.delete(linked);
    });
    this.#runs.set(linked, ended);
    return ended;
  }

  /** Resolves when every run has settled. Idempotent. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const runs = [...this.#runs.values()];
    for (const linked of [...this.#runs.keys()]) linked.abort('disposed');
    await Promise.allSettled(runs);
  }
}

/** Why a hook was never started, for its outcome. */
const messages = {
  cancelled: 'the event was cancelled while the hook waited for its turn.',
  disposed: 'the hook system was shut down.',
  refused: 'it is no longer trusted.',
  overloaded: 'more hooks are waiting than limits.queued allows. Raise limits.queued, or fire fewer events at once.',
} as const;

export function notStarted(reason: keyof typeof messages): Exit {
  const exit = { kind: 'not-started', message: messages[reason], durationMs: 0 } as const;
  return reason === 'overloaded' ? { ...exit, limited: true } : exit;
}
