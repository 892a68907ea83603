import { guarded } from '@tenterhook/runtime/log';
import type { Job } from './job.js';
import type { JobFeed } from './job-feed.js';
import type { JobQueue } from './job-queue.js';

/** The pause between two attempts to begin. */
const retryMs = 1000;

/** Receives the requests that a queue keeps, while this process serves them. */
export class JobIntake {
  readonly #queue: JobQueue;
  readonly #onJob: (job: Job) => void;
  readonly #onProblem: (error: Error) => void;
  #feed: JobFeed | undefined;
  #starting: Promise<void> | undefined;
  /** Counts the calls of start() and stop(), so that an attempt knows whether it is the last one. */
  #attempt = 0;
  #retry: NodeJS.Timeout | undefined;
  /** Feeds that take no more jobs, and whose last ones run. */
  readonly #ending = new Set<JobFeed>();
  #redelivered = 0;
  #repeated = 0;

  constructor(queue: JobQueue, onJob: (job: Job) => void, onProblem: (error: Error) => void) {
    this.#queue = queue;
    this.#onJob = (job) => {
      if (job.deliveries > 1) this.#redelivered += 1;
      onJob(job);
    };
    this.#onProblem = guarded(onProblem, 'a listener of problems');
  }

  /** Deliveries that were not the first one of their request, and those that were not carried out because of it. */
  get counts(): { readonly redelivered: number; readonly repeated: number } {
    return { redelivered: this.#redelivered, repeated: this.#repeated };
  }

  /**
   * A stream has delivered a request again that this process works on, or has answered. `earlier` is its delivery, if the stream does not
   * know yet that it is answered. Returns the delivery that counts from now on.
   */
  adopt(earlier: Job | undefined, job: Job): Job | undefined {
    this.#repeated += 1;
    if (earlier === undefined) {
      job.acknowledge();
      return undefined;
    }
    // The earlier delivery has lost its effect on the stream.
    earlier.forget();
    return job;
  }

  /** Resolves when the first attempt to begin is over. */
  async ready(): Promise<void> {
    await this.#starting;
  }

  /** Whether a job was delivered more often than the limit allows. */
  isTooOften({ deliveries }: Job): boolean {
    return deliveries > this.#queue.options.maxDeliveries;
  }

  start(): void {
    if (this.#starting !== undefined) return;
    this.#attempt += 1;
    this.#starting = this.#begin(this.#attempt, true);
  }

  restore(): void {
    this.#feed?.restore();
  }

  /** Takes no more jobs. */
  stop(): void {
    clearTimeout(this.#retry);
    this.#attempt += 1;
    this.#starting = undefined;
    if (this.#feed === undefined) return;
    this.#feed.stop();
    this.#ending.add(this.#feed);
    this.#feed = undefined;
    for (const feed of this.#ending) if (feed.isIdle) this.#ending.delete(feed);
  }

  /** Gives back what runs. */
  close(): void {
    this.stop();
    for (const feed of this.#ending) feed.close();
    this.#ending.clear();
  }

  async #begin(attempt: number, reports: boolean): Promise<void> {
    try {
      const feed = await this.#queue.feed(this.#onJob);
      if (attempt === this.#attempt) this.#feed = feed;
      else feed.close();
    } catch (error) {
      if (attempt !== this.#attempt) return;
      if (reports) this.#onProblem(error as Error);
      this.#retry = setTimeout(() => void this.#begin(attempt, false), retryMs);
    }
  }
}
