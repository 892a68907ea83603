import { randomUUID } from 'node:crypto';
import { longestTimerMs } from '@tenterhook/runtime/async';
import type { Msg } from '../client/nats-library.js';
import { log, type NatsLink } from '../client/nats-link.js';
import { isDelivery, Job } from './job.js';

/** How long the server keeps a request of this worker for jobs. */
const pullMs = 5000;
/** A request for jobs that was lost, for example with the leader of the stream, is repeated after this time. */
const lostPullMs = pullMs + 1000;
/** The pause after a refusal, for example while a stream elects a leader. */
const refusedMs = 500;
/** The server has kept a request for jobs as long as it was asked to. */
const expired = 408;

interface Pull {
  left: number;
  timer: NodeJS.Timeout;
}

export interface JobFeedPlan {
  readonly link: NatsLink;
  /** The subject on which jobs arrive, without its last token. */
  readonly inbox: string;
  readonly stream: string;
  readonly consumer: string;
  readonly maxRunning: number;
  /** Milliseconds without a sign of life until a job is delivered elsewhere. */
  readonly ackWaitMs: number;
  readonly onJob: (job: Job) => void;
  /** Creates stream and consumer again, if they were removed. Resolves to whether they were. */
  readonly renew: () => Promise<boolean>;
}

/**
 * Requests jobs from a stream, only as many as the worker has room for: a job that waits in a busy worker could run elsewhere. Reports to
 * the stream which jobs still run.
 */
export class JobFeed {
  readonly #plan: JobFeedPlan;
  readonly #running = new Set<Job>();
  /** The oldest comes first. The server answers them in this order. */
  readonly #pulls = new Map<string, Pull>();
  readonly #stopListening: () => void;
  readonly #keeping: NodeJS.Timeout;
  #renewing: Promise<boolean> | undefined;
  #isStopped = false;

  constructor(plan: JobFeedPlan) {
    this.#plan = plan;
    this.#stopListening = plan.link.subscribe(`${plan.inbox}.*`, (message) => this.#receive(message));
    this.#keeping = setInterval(() => this.#keepAll(), Math.min(plan.ackWaitMs / 3, longestTimerMs));
    this.#pull();
  }

  /** Whether no job of this feed runs. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** The connection is back. The server has forgotten the requests for jobs. */
  restore(): void {
    this.#forgetPulls();
    this.#keepAll();
    this.#pull();
    // The server may have lost its disk.
    void this.#renew().then((wasMissing) => {
      if (!wasMissing) return;
      this.#forgetPulls();
      this.#pull();
    });
  }

  /** Takes no more jobs. Those that run are still reported until they are settled. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#forgetPulls();
    this.#stopListening();
    if (this.#running.size === 0) clearInterval(this.#keeping);
  }

  /** Gives back what runs. */
  close(): void {
    this.stop();
    for (const job of [...this.#running]) job.giveBack();
    clearInterval(this.#keeping);
  }

  #receive(message: Msg): void {
    if (!isDelivery(message)) {
      // The server reports that a request for jobs has ended.
      const id = message.subject.slice(this.#plan.inbox.length + 1);
      if (message.headers?.code === expired) this.#endPull(id);
      else this.#delay(id);
      this.#pull();
      return;
    }
    const job = new Job(this.#plan.link, message, (settled) => this.#settle(settled));
    this.#countDown();
    this.#running.add(job);
    if (this.#isStopped) job.giveBack();
    else this.#plan.onJob(job);
  }

  #settle(job: Job): void {
    this.#running.delete(job);
    if (!this.#isStopped) this.#pull();
    else if (this.#running.size === 0) clearInterval(this.#keeping);
  }

  #keepAll(): void {
    for (const job of this.#running) job.keep();
  }

  #pull(): void {
    const { link, inbox, stream, consumer, maxRunning } = this.#plan;
    if (this.#isStopped || !link.isOpen) return;
    const requested = [...this.#pulls.values()].reduce((sum, { left }) => sum + left, 0);
    const batch = maxRunning - this.#running.size - requested;
    if (batch <= 0) return;
    const id = randomUUID();
    this.#pulls.set(id, { left: batch, timer: this.#renewAfter(lostPullMs, id) });
    const body = JSON.stringify({ batch, expires: pullMs * 1_000_000 });
    link.send(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, Buffer.from(body), undefined, `${inbox}.${id}`);
  }

  /** Repeats a request for jobs, after the consumer was created again if it is missing. Some servers do not answer then. */
  #renewAfter(delayMs: number, id: string): NodeJS.Timeout {
    return setTimeout(() => {
      void this.#renew().then(() => {
        this.#endPull(id);
        this.#pull();
      });
    }, delayMs);
  }

  /** The request counts until the pause is over, so that it is not repeated at once. */
  #delay(id: string): void {
    const pull = this.#pulls.get(id);
    if (pull === undefined) return;
    log('a request for jobs was refused');
    clearTimeout(pull.timer);
    pull.timer = this.#renewAfter(refusedMs, id);
  }

  /** Never rejects. Without the consumer, the next request for jobs is refused again. */
  #renew(): Promise<boolean> {
    this.#renewing ??= this.#plan
      .renew()
      .catch((error: unknown) => {
        log('the consumer was not created again: %O', error);
        return false;
      })
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  /** A job has arrived. Its message does not say for which request. */
  #countDown(): void {
    for (const [id, pull] of this.#pulls) {
      pull.left -= 1;
      if (pull.left <= 0) this.#endPull(id);
      return;
    }
  }

  #endPull(id: string): void {
    clearTimeout(this.#pulls.get(id)?.timer);
    this.#pulls.delete(id);
  }

  #forgetPulls(): void {
    for (const id of [...this.#pulls.keys()]) this.#endPull(id);
  }
}
