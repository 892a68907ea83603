import type { TransportListener } from '@tenterhook/bus';
import { keyOfMessage } from '@tenterhook/bus/internal';
import type { BusMessage, Channel, RequestChannel } from '@tenterhook/protocol';
import { exchanges } from '@tenterhook/protocol/internal';
import { longestTimerMs } from '@tenterhook/runtime/async';
import type { ClientWire } from '../client/client-wire.js';
import type { Msg } from '../client/nats-library.js';
import { log } from '../client/nats-link.js';
import { type Job, keptChannel } from '../jobs/job.js';
import { JobIntake } from '../jobs/job-intake.js';
import type { JobQueue } from '../jobs/job-queue.js';
import type { CheckedLimits } from '../limits.js';
import type { Requester } from '../requests/requester.js';
import { decodeMessage, idOf } from '../wire/codec.js';
import { headerNames, readTimeoutMs } from '../wire/headers.js';
import { Answers } from './answers.js';
import { ServedChannels } from './served-channels.js';
import { type TakenRequest, TakenRequests } from './taken-requests.js';

/** Milliseconds after the timeout of the requester until its request is cancelled here. Usually its own cancel arrives before. */
const graceMs = 1000;

/** A request as it arrives: directly, or from a stream. */
interface Arrival {
  readonly received: Msg;
  /** Its content, which an object store may have had. */
  readonly data: Uint8Array;
  /** The subject of its replies, without the last token. */
  readonly replies: string | undefined;
  readonly job?: Job;
}

/** The servers of this process, and the requests that they have received. */
export class Worker {
  readonly #wire: ClientWire;
  readonly #requester: Requester;
  readonly #served = new ServedChannels();
  readonly #taken = new TakenRequests();
  /** Sends the answers and the progress of the requests that the servers of this process have received. */
  readonly answers: Answers;
  readonly #jobs: JobIntake | undefined;
  #isListening = false;
  #isClosed = false;

  /** The worker also receives the requests that the queue keeps. `onProblem` is called if it cannot. */
  constructor(
    wire: ClientWire,
    limits: CheckedLimits,
    requester: Requester,
    queue: JobQueue | undefined,
    onProblem: (error: Error) => void,
  ) {
    this.#wire = wire;
    this.#requester = requester;
    this.answers = new Answers(wire, limits, this.#taken, requester);
    this.#jobs = queue === undefined ? undefined : new JobIntake(queue, (job) => this.#receiveJob(job), onProblem);
  }

  /** Deliveries of requests that streams keep: those that were not the first one, and those that were not carried out because of it. */
  get deliveryCounts(): { readonly redelivered: number; readonly repeated: number } {
    return this.#jobs?.counts ?? { redelivered: 0, repeated: 0 };
  }

  /** Resolves when this process can receive the requests that it serves. */
  async ready(): Promise<void> {
    await this.#jobs?.ready();
  }

  serve(channel: Channel, listener: TransportListener, route: string | undefined): () => void {
    if (this.#isClosed) return () => {};
    this.#listen();
    return this.#served.add(channel, listener, route, (key) => {
      const receive = (received: Msg) =>
        this.#wire.read(received, (data) => this.#receive(channel, key, { received, data, replies: received.reply }));
      const unsubscribe = this.#wire.link.subscribe(this.#wire.subjects.served(channel, route), receive, 'workers');
      if (channel === keptChannel) this.#jobs?.start();
      return () => {
        unsubscribe();
        if (channel === keptChannel) this.#jobs?.stop();
      };
    });
  }

  /** Whether a server of this process works on a request with this id. */
  isRunning(correlationId: string | undefined): boolean {
    return this.#taken.findById(correlationId) !== undefined;
  }

  /** Whether a server of this process works on a request with this id that another process made. */
  isRunningForOther(correlationId: string | undefined): boolean {
    return this.#taken.findById(correlationId)?.isOwn === false;
  }

  /** The connection is back, but nothing is confirmed yet. What was sent last may have been lost with the connection. */
  sendAgain(): void {
    for (const taken of this.#taken.running()) if (!taken.isOwn) this.#confirm(taken);
    this.answers.sendAgain();
  }

  confirmAgain(): void {
    this.answers.confirmAgain();
    this.#jobs?.restore();
  }

  /** Requests that arrive from now on are declined. */
  stop(): void {
    this.#isClosed = true;
    this.#served.stop();
    this.#jobs?.close();
    this.#taken.close();
    this.answers.rejectAll();
  }

  async close(): Promise<void> {
    this.stop();
    await this.#served.close();
  }

  /** Listens for cancels and for tests of its existence, from the first server on. */
  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    const { link, subjects } = this.#wire;
    link.subscribe(`${subjects.cancels}.*`, (message) => this.#receiveCancel(message));
    link.subscribe(subjects.alive, ({ reply }) => {
      if (subjects.isReplyTarget(reply)) this.#wire.reply(reply, 'alive');
    });
  }

  #receiveJob(job: Job): void {
    const { message: received } = job;
    const replies = received.headers?.get(headerNames.replies);
    this.#wire.read(received, (data) => this.#receive(keptChannel, keptChannel, { received, data, replies, job }));
  }

  #receive(channel: Channel, key: string, request: Arrival): void {
    const { replies, job } = request;
    if (!this.#wire.subjects.isReplyTarget(replies)) {
      log('a request without a valid subject for its replies, on %s', request.received.subject);
      job?.discard();
      return;
    }
    const known = this.#taken.find(replies);
    if (known !== undefined) {
      log('a request was delivered twice: %s', replies);
      if (job !== undefined) known.job = this.#jobs?.adopt(known.job, job);
      return;
    }
    const isOwn = this.#requester.isOwn(replies);
    const own = isOwn ? this.#requester.findAsking(replies) : undefined;
    if (isOwn && own === undefined) {
      // A request of this process that it has given up.
      job?.acknowledge();
      return;
    }
    const message = own?.message ?? decodeMessage(request.data);
    if ('problem' in message || message.type !== channel || keyOfMessage(message) !== key) {
      log('a malformed request on %s: %s', request.received.subject, 'problem' in message ? message.problem : message.type);
      this.#wire.reply(replies, 'refused', { code: 'malformed' });
      job?.discard();
      return;
    }
    if (!this.#served.has(key)) {
      if (job === undefined) this.#wire.reply(replies, 'declined');
      else job.giveBack();
      return;
    }
    const correlationId = idOf(message);
    if (this.isRunning(correlationId) || (!isOwn && this.#requester.isOpen(correlationId))) {
      this.#wire.reply(replies, 'refused', { code: 'id_in_use' });
      job?.discard();
      return;
    }
    const responseChannel = exchanges[channel as RequestChannel].response;
    const taken = this.#taken.add({ replies, correlationId, responseChannel, isOwn, job });
    const timeoutMs = readTimeoutMs(request.received.headers?.get(headerNames.timeoutMs));
    if (timeoutMs !== undefined && !isOwn) {
      taken.timer = setTimeout(() => this.#expire(taken), Math.min(timeoutMs + graceMs, longestTimerMs));
    }
    if (own !== undefined) {
      this.#requester.takeOwn(own, this.#taken.tokenOf(taken));
      this.#begin(message, taken);
      this.#requester.redeliverCancel(own);
      return;
    }
    // Before the responder is called. A report at the end of the turn, which an answer of this turn could replace, was rejected: it saves a
    // quarter of the time, but a responder that waits for a promise and then blocks the process for longer than `confirmMs` would lose its
    // answer, which may be a deny.
    this.#confirm(taken);
    this.#begin(message, taken);
  }

  /** Reports to the requester that this process has the request. */
  #confirm(taken: TakenRequest): void {
    this.#wire.reply(taken.replies, 'taken', { worker: this.#wire.name, token: this.#taken.tokenOf(taken) });
  }

  /** Calls a server with a request. */
  #begin(message: BusMessage, taken: TakenRequest): void {
    const { job, correlationId } = taken;
    if (job !== undefined && this.#jobs?.isTooOften(job)) {
      this.answers.refuse(taken, job);
      return;
    }
    this.#taken.arriving = taken;
    try {
      this.#served.deliver(message);
    } finally {
      this.#taken.arriving = undefined;
    }
    // The bus answers a request without a valid id at once. What it has not answered now, it cannot.
    if (correlationId === undefined) this.answers.abandon(taken);
  }

  #receiveCancel({ subject, data }: Msg): void {
    const message = decodeMessage(data);
    if ('problem' in message || message.type !== 'HOOK_EXECUTION_CANCEL') {
      log('a malformed cancel: %s', 'problem' in message ? message.problem : message.type);
      return;
    }
    const taken = this.#taken.findByToken(subject.slice(subject.lastIndexOf('.') + 1));
    if (taken !== undefined && taken.correlationId === idOf(message)) this.#wire.listeners.deliver(message);
    else this.#wire.listeners.deliverUnsolicited(message);
  }

  /** Cancels a request whose requester has stopped waiting. Its own cancel did not arrive. */
  #expire({ correlationId }: TakenRequest): void {
    if (correlationId === undefined) return;
    this.#wire.listeners.deliver({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId, reason: 'timeout' } });
  }
}
