import type { Hooks } from 'tenterhook';
import type { Violations } from '../checks/violations.js';

const loopsOfEachKind = 70;
/** Small, so that messages are dropped all the time. */
const maxBuffered = 16;
const pauseMs = 50;

/** What slow subscribers have received so far. */
export interface SubscriberFigures {
  readonly loops: number;
  readonly received: number;
  /** Messages that loops were too slow for, as their counters say. */
  readonly dropped: number;
}

interface SlowLoop {
  readonly messages: AsyncIterable<unknown> & { readonly dropped: number };
  /** The number of messages that were published on what the loop reads. */
  readonly published: () => number;
  readonly ended: Promise<void>;
  received: number;
}

/**
 * Loops that read messages too slowly: some stay at their first message, some pause after each one, and some read records of events. No event
 * may be late because of them, and every message must be received or counted as dropped.
 */
export class SlowSubscribers {
  readonly #loops: SlowLoop[] = [];
  /** Ends when every record was counted. */
  readonly #counting: Promise<void>;
  #release = () => {};
  readonly #released = new Promise<void>((resolve) => {
    this.#release = resolve;
  });

  constructor({ bus, events$ }: Hooks) {
    let [progress, records] = [0, 0];
    bus.subscribe('HOOK_EXECUTION_PROGRESS', () => {
      progress += 1;
    });
    // A burst of events drops records of every subscriber. A loop counts those that it missed, and a subscriber of RxJS does not.
    const all = events$.values();
    this.#counting = (async () => {
      for await (const _record of all) records += 1;
    })();
    for (let index = 0; index < loopsOfEachKind; index += 1) {
      const subscribe = () => bus.subscribe('HOOK_EXECUTION_PROGRESS', { maxBuffered });
      this.#read(
        subscribe(),
        () => progress,
        () => this.#released,
      );
      this.#read(
        subscribe(),
        () => progress,
        () => Promise.race([pause(pauseMs), this.#released]),
      );
      this.#read(
        events$.values({ maxBuffered }),
        () => records + all.dropped,
        () => this.#released,
      );
    }
    bus.subscribe('HOOK_EXECUTION_PROGRESS', () => {
      throw new Error('a subscriber of the soak throws');
    });
  }

  get figures(): SubscriberFigures {
    const sum = (of: (loop: SlowLoop) => number) => this.#loops.reduce((total, loop) => total + of(loop), 0);
    return { loops: this.#loops.length, received: sum(({ received }) => received), dropped: sum(({ messages }) => messages.dropped) };
  }

  /** Lets all loops go on. Call it after the bus was closed: the loops then receive what waited for them, and end. */
  async end(violations: Violations): Promise<void> {
    this.#release();
    await Promise.all([this.#counting, ...this.#loops.map(({ ended }) => ended)]);
    for (const { received, messages, published } of this.#loops) {
      if (received + messages.dropped === published()) continue;
      violations.add({ what: `a slow subscriber received ${received} and lost ${messages.dropped} of ${published()} messages` });
    }
  }

  #read(messages: SlowLoop['messages'], published: () => number, wait: () => Promise<void>): void {
    const loop = { messages, published, received: 0, ended: Promise.resolve() };
    const read = async () => {
      for await (const _message of messages) {
        loop.received += 1;
        await wait();
      }
    };
    loop.ended = read();
    this.#loops.push(loop);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
