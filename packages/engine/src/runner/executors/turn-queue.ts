import type { Exit } from '@tenterhook/protocol';
import { Limiter, onAbort } from '@tenterhook/spawner/internal';

export interface QueueBounds {
  /** Runs at once. */
  readonly concurrency: number;
  /** Runs that wait for their turn; one more has none. */
  readonly queued: number;
}

/** Runs that wait for their turn, in the order in which they came: the same bounds as for processes, for what is none. */
export class TurnQueue {
  readonly #limiter: Limiter;
  readonly #queued: number;
  /** Of every run that has not settled. */
  readonly #stops = new Map<(reason: 'cancelled' | 'disposed') => void, Promise<unknown>>();
  #isDisposed = false;

  constructor({ concurrency, queued }: QueueBounds) {
    this.#limiter = new Limiter(concurrency);
    this.#queued = queued;
  }

  /** `work` is called at its turn; its signal aborts with the given one and with the queue, and it must settle then, and not reject. */
  run(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Exit>): Promise<Exit> {
    if (this.#isDisposed) return Promise.resolve(notStarted('disposed'));
    if (signal.aborted) return Promise.resolve(notStarted('cancelled'));
    if (!this.#limiter.hasFreeSlot && this.#limiter.queued >= this.#queued) return Promise.resolve(notStarted('overloaded'));

    const control = new AbortController();
    let stop: (reason: 'cancelled' | 'disposed') => void = () => {};
    const settled = new Promise<Exit>((resolve, reject) => {
      let hasBegun = false;
      const leave = this.#limiter.enter(async () => {
        hasBegun = true;
        await work(control.signal).then(resolve, reject);
      });
      stop = (reason) => {
        control.abort(reason);
        if (hasBegun) return;
        leave();
        resolve(notStarted(reason));
      };
    });
    const forgetSignal = onAbort(signal, () => stop('cancelled'));
    const ended = settled.finally(() => {
      forgetSignal();
      this.#stops.delete(stop);
    });
    this.#stops.set(stop, ended);
    return ended;
  }

  /** Resolves when every run has settled. Idempotent. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const runs = [...this.#stops.values()];
    for (const stop of [...this.#stops.keys()]) stop('disposed');
    await Promise.allSettled(runs);
  }
}

/** Why a hook never got its turn, in the words of an outcome. */
const messages = {
  cancelled: 'the event was cancelled while it waited for its turn.',
  disposed: 'the hook system was shut down.',
  overloaded: 'more hooks are waiting than limits.queued allows. Raise it, or fire fewer events at once.',
} as const;

export function notStarted(reason: keyof typeof messages): Exit {
  return { kind: 'not-started', message: messages[reason], durationMs: 0 };
}
