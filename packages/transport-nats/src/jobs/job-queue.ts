import { setTimeout as pause } from 'node:timers/promises';
import type { NatsLink } from '../client/nats-link.js';
import { JetStream, nanosecondsPerMs } from '../jetstream/jetstream.js';
import { disconnected, type NatsTransportError, unconfirmed } from '../nats-error.js';
import type { Subjects } from '../wire/subjects.js';
import type { CheckedAtLeastOnce } from './at-least-once-options.js';
import type { Job } from './job.js';
import { JobFeed } from './job-feed.js';

/** The pause between two attempts to store a request. */
const retryMs = 100;

export interface StoredRequest {
  readonly subject: string;
  readonly data: Uint8Array;
  /** A request with the same id is stored once. */
  readonly id: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly confirmMs: number;
  /** Whether the requester still waits. */
  readonly isWanted: () => boolean;
}

/** The stream that keeps the requests of a namespace until a worker has answered them. */
export class JobQueue {
  readonly options: CheckedAtLeastOnce;
  readonly #link: NatsLink;
  readonly #subjects: Subjects;
  readonly #jetstream: JetStream;

  constructor(link: NatsLink, subjects: Subjects, options: CheckedAtLeastOnce) {
    this.options = options;
    this.#link = link;
    this.#subjects = subjects;
    this.#jetstream = new JetStream(link);
  }

  /** Creates the stream if it does not exist. */
  async open(): Promise<void> {
    await this.#jetstream.ensureStream(this.options.stream);
  }

  /**
   * Stores a request, once. Resolves to its number in the stream. Rejects with a NatsTransportError: `overloaded` if the stream is full,
   * `disconnected` if the server has not confirmed it within `confirmMs`.
   */
  async store({ subject, data, id, headers, confirmMs, isWanted }: StoredRequest): Promise<number> {
    const giveUpAt = performance.now() + confirmMs;
    for (;;) {
      try {
        return (await this.#jetstream.publish(this.options.stream.name, subject, data, id, headers)).seq;
      } catch (error) {
        if ((error as NatsTransportError).code !== 'disconnected') throw error;
        if (!this.#link.isOpen || !isWanted()) throw disconnected(error);
        if (performance.now() > giveUpAt) throw unconfirmed(confirmMs);
        await pause(retryMs);
      }
    }
  }

  /** Removes a request that no worker has received. */
  withdraw(seq: number): void {
    if (this.#link.isOpen) this.#jetstream.remove(this.options.stream.name, seq);
  }

  /** Begins to receive jobs. Creates what distributes them among the workers, if it does not exist. */
  async feed(onJob: (job: Job) => void): Promise<JobFeed> {
    const { stream, maxRunning } = this.options;
    const { consumer, inbox } = this.#subjects.jobs;
    const config = await this.#ensureConsumer();
    return new JobFeed({
      link: this.#link,
      inbox,
      stream: stream.name,
      consumer,
      maxRunning,
      ackWaitMs: config.ack_wait / nanosecondsPerMs,
      onJob,
      renew: async () => {
        if (await this.#jetstream.hasConsumer(stream.name, consumer)) return false;
        await this.open();
        await this.#ensureConsumer();
        return true;
      },
    });
  }

  #ensureConsumer(): Promise<{ readonly ack_wait: number }> {
    const { stream, ackWaitMs } = this.options;
    const { consumer, filter } = this.#subjects.jobs;
    return this.#jetstream.ensureConsumer(stream.name, consumer, {
      durable_name: consumer,
      deliver_policy: 'all',
      replay_policy: 'instant',
      ack_policy: 'explicit',
      ack_wait: ackWaitMs * nanosecondsPerMs,
      // This package answers a request that is delivered too often with an error. The server would leave it without an answer.
      max_deliver: -1,
      max_ack_pending: -1,
      filter_subject: filter,
    });
  }
}
