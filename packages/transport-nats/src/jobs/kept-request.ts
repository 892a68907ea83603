import { deliveredTooOften } from './job.js';
import type { JobQueue, StoredRequest } from './job-queue.js';

/** A worker that has received a request, and the token by which the worker knows it. */
export interface Taker {
  readonly name: string;
  readonly token: string;
}

/** A request of this process that a stream keeps until a worker has answered it. If its worker ends, another one receives it. */
export class KeptRequest {
  readonly #queue: JobQueue;
  /**
   * The workers that have received the request, by token. Their number is how often it was delivered: the count of the stream is too low if
   * no worker was there when the stream wanted to deliver it again.
   */
  readonly #takers = new Map<string, Taker>();
  /** The token of the worker that has answered. */
  #answeredBy: string | undefined;
  /** The number of the request in the stream. */
  #seq: number | undefined;

  constructor(queue: JobQueue) {
    this.#queue = queue;
  }

  get maxAgeMs(): number {
    return this.#queue.options.maxAgeMs;
  }

  get deliveries(): number {
    return this.#takers.size;
  }

  /** Several workers may carry the request out at the same time. */
  get takers(): Iterable<Taker> {
    return this.#takers.values();
  }

  /** Why the request has no answer after `maxAgeMs`. */
  get expiry(): string {
    return `No worker has answered the request within ${this.maxAgeMs} ms, and its stream has removed it. It is unknown whether it was carried out.`;
  }

  /** Stores the request. Rejects with a NatsTransportError, like the queue. */
  async store(request: StoredRequest): Promise<void> {
    this.#seq = await this.#queue.store(request);
  }

  /** Removes the request from the stream, if it was stored. */
  withdraw(): void {
    if (this.#seq !== undefined) this.#queue.withdraw(this.#seq);
  }

  /** A worker has received the request. Returns why it is not carried out again, or undefined. Not called after the end of the request. */
  take(taker: Taker): string | undefined {
    this.#takers.set(taker.token, taker);
    return this.deliveries > this.#queue.options.maxDeliveries ? deliveredTooOften(this.deliveries) : undefined;
  }

  answer(token: string | undefined): void {
    this.#answeredBy = token;
  }

  /** Whether an answer after the first one comes from another worker. A worker that has lost its connection sends its answers again. */
  isAnsweredAgain(token: string | undefined): boolean {
    return this.#answeredBy !== undefined && token !== this.#answeredBy;
  }
}
