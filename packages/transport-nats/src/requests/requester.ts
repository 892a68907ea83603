import type { Delivery } from '@tenterhook/bus';
import type { BusMessage } from '@tenterhook/protocol';
import { routeOf } from '@tenterhook/protocol/internal';
import { longestTimerMs } from '@tenterhook/runtime/async';
import type { ClientWire } from '../client/client-wire.js';
import type { Msg, MsgHdrs } from '../client/nats-library.js';
import { log } from '../client/nats-link.js';
import { keptChannel } from '../jobs/job.js';
import type { JobQueue } from '../jobs/job-queue.js';
import { KeptRequest } from '../jobs/kept-request.js';
import type { CheckedLimits } from '../limits.js';
import { disconnected, disposed, idInUse, notAllowed, tooManyBytes, tooManyRequests, unconfirmed } from '../nats-error.js';
import { idOf } from '../wire/codec.js';
import { headerNames } from '../wire/headers.js';
import { type AskedRequest, AskedRequests } from './asked-requests.js';
import { isUnserved, Replies } from './replies.js';
import { RequestEnds } from './request-ends.js';
import { WorkerWatch } from './worker-watch.js';

/**
 * The requests that this process makes. Each has a subject of its own for its replies, which only the worker that received the request
 * knows. So an answer belongs to its request by the subject on which it arrives, and not by the correlation id in it.
 */
export class Requester {
  readonly #wire: ClientWire;
  readonly #limits: CheckedLimits;
  readonly #asked = new AskedRequests();
  readonly #ends: RequestEnds;
  readonly #replies: Replies;
  readonly #watch: WorkerWatch;
  readonly #queue: JobQueue | undefined;

  /** With a queue, requests are stored there until a worker has answered them. */
  constructor(wire: ClientWire, limits: CheckedLimits, queue: JobQueue | undefined) {
    this.#wire = wire;
    this.#limits = limits;
    this.#queue = queue;
    this.#ends = new RequestEnds(wire, this.#asked);
    this.#replies = new Replies(wire, this.#asked, this.#ends, () => this.#watch.start());
    const listWorkers = () =>
      new Set(this.#asked.open().flatMap(({ worker }) => (worker === undefined || worker.name === wire.name ? [] : [worker.name])));
    this.#watch = new WorkerWatch(wire.link, wire.subjects, limits.aliveMs, listWorkers, (worker) => this.#loseWorker(worker));
  }

  /** The number of answers that arrived after the first one of their request. */
  get repeatedAnswers(): number {
    return this.#replies.repeated;
  }

  /** Whether a request with this id waits for an answer. */
  isOpen(correlationId: string | undefined): boolean {
    return this.#asked.findById(correlationId) !== undefined;
  }

  /** Sends a request to one worker. Throws if it cannot be sent. */
  ask(message: BusMessage, timeoutMs: number | undefined): Promise<Delivery> {
    const { link, listeners } = this.#wire;
    const correlationId = idOf(message);
    if (correlationId !== undefined && this.isOpen(correlationId)) throw idInUse(correlationId);
    if (this.#asked.size >= this.#limits.maxRequests) throw tooManyRequests(this.#limits.maxRequests);
    if (link.waitingBytes > this.#limits.maxWaitingBytes) throw tooManyBytes(this.#limits.maxWaitingBytes);
    const data = this.#wire.encode(message);
    const headers = this.#wire.headersOf(message, timeoutMs);
    this.#wire.sendToLog(message, data, false, headers);
    if (routeOf(message) === '') {
      listeners.deliver(message);
      return link.confirm().then(() => 'unserved' as const);
    }
    const queue = message.type === keptChannel ? this.#queue : undefined;
    const delivery = queue === undefined ? this.#send(message, data, headers) : this.#keep(queue, message, data, timeoutMs);
    listeners.deliver(message);
    return delivery;
  }

  /**
   * Cancels an open request of this process. Before a worker has taken it, the cancel waits. Throws if the cancel cannot be sent.
   */
  cancel(message: BusMessage): Promise<Delivery> {
    const { link, listeners } = this.#wire;
    // A cancel that waits must not fail later.
    this.#wire.encode(message);
    const asked = this.#asked.findById(idOf(message));
    if (asked?.state === 'asking') {
      // A worker may have received it meanwhile. The cancel is sent when the worker confirms this.
      asked.cancel ??= message;
      if (asked.kept !== undefined) {
        asked.kept.withdraw();
        this.#asked.finish(asked);
      }
    } else if (asked !== undefined) {
      const { kept, worker } = asked;
      this.#ends.sendCancel(kept?.takers ?? (worker === undefined ? [] : [worker]), message);
      // It can still be answered, with the outcomes so far.
      this.#asked.finish(asked);
    }
    listeners.deliver(message);
    return link.confirm().then(() => 'unserved' as const);
  }

  /** Returns the request of this process that has these replies and waits for a worker, or undefined. */
  findAsking(replies: string): AskedRequest | undefined {
    const asked = this.isOwn(replies) ? this.#asked.find(this.#tail(replies)) : undefined;
    return asked?.state === 'asking' ? asked : undefined;
  }

  isOwn(replies: string): boolean {
    return replies.startsWith(`${this.#wire.subjects.replies}.`);
  }

  /** A server of this process receives the request, so nothing needs to be reported to it over the connection. */
  takeOwn(asked: AskedRequest, token: string): void {
    this.#asked.take(asked, { name: this.#wire.name, token });
  }

  /** Delivers the cancel of a request that was cancelled before a server of this process received it. */
  redeliverCancel(asked: AskedRequest): void {
    const { cancel } = asked;
    asked.cancel = undefined;
    if (cancel !== undefined) this.#wire.listeners.redeliver(cancel);
  }

  /** Ends a request that a server of this process has answered. */
  finishOwn(replies: string): void {
    const asked = this.#asked.find(this.#tail(replies));
    if (asked === undefined) return;
    asked.isAnswered = true;
    if (asked.state === 'asking') asked.resolve('served');
    this.#asked.finish(asked);
  }

  /** Receives what is sent to the replies of this client. */
  receive(reply: Msg): void {
    const [number = '', kind] = this.#tail(reply.subject).split('.');
    if (this.#watch.isTest(number)) {
      this.#watch.receive(number, isUnserved(kind, reply));
      return;
    }
    const asked = this.#asked.find(number);
    if (asked === undefined) log('a reply to an unknown request: %s', reply.subject);
    else this.#replies.receive(asked, kind, reply);
  }

  /** The credentials do not permit a request to this subject. Returns whether a request was waiting there. */
  deny(subject: string, cause: Error): boolean {
    const denied = this.#asked.open().filter((asked) => asked.state === 'asking' && asked.subject === subject);
    for (const asked of denied) this.#ends.reject(asked, notAllowed('publish to', subject, cause));
    return denied.length > 0;
  }

  /** Ends all requests, because the connection is lost. Their answers are still accepted when it is back. */
  lose(): void {
    this.#watch.stop();
    for (const asked of this.#asked.open()) this.#ends.giveUp(asked, disconnected());
  }

  close(): void {
    this.#watch.stop();
    for (const asked of this.#asked.open()) this.#ends.giveUp(asked, disposed());
  }

  #send(message: BusMessage, data: Uint8Array, headers: MsgHdrs): Promise<Delivery> {
    const { link, subjects } = this.#wire;
    const { confirmMs } = this.#limits;
    const subject = subjects.ask(message);
    return new Promise((resolve, reject) => {
      const send = () => link.send(subject, data, headers, `${subjects.replies}.${asked.number}`);
      const asked: AskedRequest = this.#asked.add({ message, subject, send, resolve, reject, kept: undefined });
      asked.timer = setTimeout(() => this.#ends.giveUp(asked, unconfirmed(confirmMs)), confirmMs);
      send();
    });
  }

  /** Stores a request in a stream, from which one worker after another receives it until one has answered it. */
  #keep(queue: JobQueue, message: BusMessage, data: Uint8Array, timeoutMs: number | undefined): Promise<Delivery> {
    const { subjects } = this.#wire;
    const { confirmMs } = this.#limits;
    const subject = subjects.job(message);
    const kept = new KeptRequest(queue);
    return new Promise((resolve, reject) => {
      const asked = this.#asked.add({ message, subject, send: () => {}, resolve, reject, kept });
      const replies = `${subjects.replies}.${asked.number}`;
      asked.timer = setTimeout(() => this.#ends.fail(asked, 'disposed', kept.expiry), Math.min(kept.maxAgeMs, longestTimerMs));
      const headers = [...this.#wire.pairsOf(message, timeoutMs), [headerNames.replies, replies] as const];
      kept.store({ subject, data, id: replies, headers, confirmMs, isWanted: () => asked.state !== 'over' }).then(
        () => {
          if (asked.state === 'over' && asked.worker === undefined) kept.withdraw();
          asked.resolve('served');
        },
        (error: Error & { readonly code?: string }) => {
          // It may be stored after all. A worker that then receives it is asked to stop.
          if (asked.state === 'asking' && error.code === 'disconnected') this.#asked.finish(asked);
          else if (asked.state === 'asking') this.#asked.remove(asked);
          asked.reject(error);
        },
      );
    });
  }

  #loseWorker(worker: string): void {
    for (const asked of this.#asked.open()) {
      if (asked.worker?.name !== worker) continue;
      if (asked.kept !== undefined) {
        // The stream delivers it to another worker.
        asked.worker = undefined;
        asked.state = 'asking';
        continue;
      }
      const what =
        'The worker that received the request has ended, or has lost its connection. It is unknown whether the request was carried out.';
      this.#ends.fail(asked, 'disposed', what);
    }
  }

  /** Returns the part of a subject after the replies of this client. */
  #tail(subject: string): string {
    return subject.slice(this.#wire.subjects.replies.length + 1);
  }
}
