import { randomUUID } from 'node:crypto';
import type { NatsLink } from '../client/nats-link.js';
import type { Subjects } from '../wire/subjects.js';

/** How many tests in a row must find that a worker does not exist. After one, it may be reconnecting. */
const mostMisses = 2;

/**
 * Tests whether the workers that have requests of this process still exist. A worker that is killed cannot report it, and without this test
 * its requests would wait until their timeouts, if they have any. The server itself reports that a subject has no subscriber.
 */
export class WorkerWatch {
  readonly #link: NatsLink;
  readonly #subjects: Subjects;
  readonly #aliveMs: number;
  /** Returns the workers that have requests of this process. */
  readonly #listWorkers: () => ReadonlySet<string>;
  readonly #onGone: (worker: string) => void;
  readonly #misses = new Map<string, number>();
  /** The tests that are on their way. */
  #tests = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    link: NatsLink,
    subjects: Subjects,
    aliveMs: number,
    listWorkers: () => ReadonlySet<string>,
    onGone: (worker: string) => void,
  ) {
    this.#link = link;
    this.#subjects = subjects;
    this.#aliveMs = aliveMs;
    this.#listWorkers = listWorkers;
    this.#onGone = onGone;
  }

  /** Call this when a worker has received a request. */
  start(): void {
    this.#timer ??= setInterval(() => this.#test(), this.#aliveMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#misses.clear();
    this.#tests.clear();
  }

  /** Whether a reply belongs to a test, and not to a request. */
  isTest(number: string): boolean {
    return number.startsWith('alive-');
  }

  /** `isGone`: the server reports that the worker does not subscribe to its subject. */
  receive(number: string, isGone: boolean): void {
    const worker = this.#tests.get(number);
    if (worker === undefined) return;
    this.#tests.delete(number);
    const misses = isGone ? (this.#misses.get(worker) ?? 0) + 1 : 0;
    this.#misses.set(worker, misses);
    if (misses < mostMisses) return;
    this.#misses.delete(worker);
    this.#onGone(worker);
  }

  #test(): void {
    const workers = this.#listWorkers();
    if (workers.size === 0) {
      this.stop();
      return;
    }
    // A worker that neither answers nor is gone, such as a paused process, keeps its requests until their timeouts.
    this.#tests = new Map();
    for (const worker of this.#misses.keys()) if (!workers.has(worker)) this.#misses.delete(worker);
    if (!this.#link.isOpen) return;
    for (const worker of workers) {
      const control = this.#subjects.controlOf(worker);
      if (control === undefined) continue;
      const number = `alive-${randomUUID()}`;
      this.#tests.set(number, worker);
      this.#link.send(control.alive, new Uint8Array(), undefined, `${this.#subjects.replies}.${number}`);
    }
  }
}
