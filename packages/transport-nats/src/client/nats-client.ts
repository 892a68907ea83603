import type { ConnectionState, Delivery, ListenerScope, Transport, TransportListener } from '@tenterhook/bus';
import { isResponseChannel } from '@tenterhook/bus/internal';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { isRequestChannel } from '@tenterhook/protocol/internal';
import { guarded } from '@tenterhook/runtime/log';
import type { NatsRecordStream } from '../jetstream/record-stream.js';
import type { RecordStreamOptions } from '../jetstream/stream-options.js';
import type { JobQueue } from '../jobs/job-queue.js';
import { type CheckedLimits, requireInteger } from '../limits.js';
import { disconnected, disposed, idInUse, type NatsTransportError, notAllowed, refused, tooManyBytes } from '../nats-error.js';
import type { LargeMessages } from '../objects/large-messages.js';
import { Requester } from '../requests/requester.js';
import { Worker } from '../serving/worker.js';
import { decodeMessage, idOf } from '../wire/codec.js';
import { isAnnouncementQuery, type Subjects } from '../wire/subjects.js';
import { ClientListeners } from './client-listeners.js';
import { ClientWire } from './client-wire.js';
import type { Msg } from './nats-library.js';
import { log, type NatsLink } from './nats-link.js';

export interface NatsClientOptions {
  readonly client: string;
  readonly session: string;
  readonly limits: CheckedLimits;
  /** Keeps requests until a worker has answered them. */
  readonly queue?: JobQueue | undefined;
  /** Keeps messages that are larger than the limit. */
  readonly large?: LargeMessages | undefined;
  readonly onProblem?: ((error: NatsTransportError) => void) | undefined;
}

/** What a client has counted about requests that a stream keeps. */
export interface DeliveryCounts {
  /** Deliveries to this worker that were not the first one of their request. */
  readonly redelivered: number;
  /** Deliveries of requests that this worker ran or had answered already, and did not run again. */
  readonly repeated: number;
  /** Answers to requests of this agent that arrived after the first one. Each shows that a request was carried out again. */
  readonly repeatedAnswers: number;
}

/** Channels whose messages have an effect on one request, so that their sender must have a right to it. */
const isAboutOneRequest = (channel: Channel) => isResponseChannel(channel) || channel === 'HOOK_EXECUTION_PROGRESS';

/**
 * A client of a NATS server. What it publishes reaches the subscribers of this process at once, and those of other processes over the
 * server.
 */
export class NatsClient implements Transport {
  readonly name = 'nats';
  readonly #link: NatsLink;
  readonly #subjects: Subjects;
  readonly #limits: CheckedLimits;
  readonly #onProblem: ((error: NatsTransportError) => void) | undefined;
  readonly #listeners: ClientListeners;
  readonly #wire: ClientWire;
  readonly #requester: Requester;
  readonly #worker: Worker;
  readonly #queue: JobQueue | undefined;
  readonly #large: LargeMessages | undefined;
  /** The ids of requests that are being stored, because they are large, and those of them that were cancelled meanwhile. */
  readonly #storing = new Set<string>();
  readonly #cancelled = new Set<string>();
  readonly #stateListeners = new Set<(state: ConnectionState) => void>();
  #refusal: NatsTransportError | undefined;
  #closing: Promise<void> | undefined;

  constructor(link: NatsLink, subjects: Subjects, { client, session, limits, queue, large, onProblem }: NatsClientOptions) {
    this.#link = link;
    this.#subjects = subjects;
    this.#limits = limits;
    this.#onProblem = onProblem;
    this.#listeners = new ClientListeners((channel) => {
      return subjects.all(channel).map((subject) => link.subscribe(subject, (message) => this.#receive(channel, message)));
    });
    this.#wire = new ClientWire(link, subjects, this.#listeners, { client, session, large });
    this.#large = large;
    this.#queue = queue;
    this.#requester = new Requester(this.#wire, limits, queue);
    this.#worker = new Worker(this.#wire, limits, this.#requester, queue, (error) => this.#report(error as NatsTransportError));
  }

  /** Resolves when this client can receive answers. */
  async open(): Promise<void> {
    this.#link.watch({
      onLost: () => this.#lose(),
      onReconnect: () => this.#worker.sendAgain(),
      onRestored: () => {
        this.#worker.confirmAgain();
        this.#tell('restored');
      },
      onDenied: (operation, subject, error) => this.#deny(operation, subject, error),
    });
    this.#link.subscribe(`${this.#subjects.replies}.>`, (reply) => this.#requester.receive(reply));
    await this.#link.confirm();
    // The library reports a refused subscription in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#refusal !== undefined) throw this.#refusal;
    await Promise.all([this.#queue?.open(), this.#large?.open()]);
  }

  get deliveryCounts(): DeliveryCounts {
    return { ...this.#worker.deliveryCounts, repeatedAnswers: this.#requester.repeatedAnswers };
  }

  publish(message: BusMessage, timeoutMs?: number): Delivery | Promise<Delivery> {
    if (this.#closing !== undefined) return Promise.reject(disposed());
    try {
      const kept = isRequestChannel(message.type) || isResponseChannel(message.type) ? this.#large?.keep(message) : undefined;
      return kept === undefined ? this.#publish(message, timeoutMs) : this.#publishLarge(message, kept, timeoutMs);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  subscribe(channel: Channel, listener: TransportListener, scope: ListenerScope = 'all'): () => void {
    return scope === 'all' ? this.#listeners.subscribe(channel, listener) : this.#listeners.subscribeAddressed(channel, listener);
  }

  isSubscribed(channel: Channel): boolean {
    return this.#listeners.isSubscribed(channel);
  }

  serve(channel: Channel, listener: TransportListener, route?: string): () => void {
    return this.#worker.serve(channel, listener, route);
  }

  async flush(): Promise<void> {
    if (this.#closing !== undefined) throw disposed();
    await Promise.all([this.#link.confirm(), this.#worker.ready()]);
  }

  answersSettled(timeoutMs: number): Promise<boolean> {
    requireInteger('answersSettled: timeoutMs', timeoutMs, 0, 2 ** 31 - 1);
    const giveUpAt = performance.now() + timeoutMs;
    return (this.#large?.settled(timeoutMs) ?? Promise.resolve()).then(() => {
      return this.#worker.answers.settled(Math.max(0, giveUpAt - performance.now()));
    });
  }

  async openRecordStream(options: RecordStreamOptions = {}): Promise<NatsRecordStream> {
    if (this.#closing !== undefined) throw disposed();
    const { openRecordStream } = await import('../jetstream/record-stream.js');
    return openRecordStream(this.#link, this.#subjects.namespace, options);
  }

  onConnectionChange(listener: (state: ConnectionState) => void): () => void {
    const safe = guarded(listener, 'a listener of the connection');
    if (this.#closing === undefined) this.#stateListeners.add(safe);
    return () => {
      this.#stateListeners.delete(safe);
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #shutDown(): Promise<void> {
    this.#stateListeners.clear();
    this.#requester.close();
    this.#worker.stop();
    const closed = [this.#listeners.close(), this.#link.close()];
    await Promise.all(closed);
    await this.#worker.close();
  }

  /** Sends a message as soon as an object store has its content. */
  async #publishLarge(message: BusMessage, kept: Promise<void>, timeoutMs: number | undefined): Promise<Delivery> {
    const id = isRequestChannel(message.type) ? idOf(message) : undefined;
    if (id !== undefined) this.#storing.add(id);
    try {
      await kept;
    } finally {
      if (id !== undefined) this.#storing.delete(id);
    }
    if (this.#closing !== undefined) throw disposed();
    // The bus has settled it.
    if (id !== undefined && this.#cancelled.delete(id)) throw disconnected();
    return this.#publish(message, timeoutMs);
  }

  #publish(message: BusMessage, timeoutMs: number | undefined): Promise<Delivery> {
    const { type } = message;
    const id = idOf(message);
    if (isRequestChannel(type)) {
      if (!this.#link.isOpen) throw disconnected();
      if (id !== undefined && this.#worker.isRunning(id)) throw idInUse(id);
      return this.#requester.ask(message, timeoutMs);
    }
    if (isAboutOneRequest(type)) {
      const sent = isResponseChannel(type) ? this.#worker.answers.answer(message) : this.#worker.answers.report(message);
      if (sent !== undefined) return sent;
      if (this.#requester.isOpen(id)) throw refused(`The request ${id} goes to another process. Only that process can answer it.`);
    }
    if (type === 'HOOK_EXECUTION_CANCEL') {
      if (id !== undefined && this.#storing.has(id)) {
        this.#cancelled.add(id);
        this.#listeners.deliver(message);
        return Promise.resolve('unserved');
      }
      if (this.#requester.isOpen(id)) return this.#requester.cancel(message);
      if (this.#worker.isRunningForOther(id))
        throw refused(`The request ${id} was made by another process. Only that process can cancel it.`);
    }
    return this.#broadcast(message);
  }

  /** Sends a message that is addressed to no client. */
  #broadcast(message: BusMessage): Promise<Delivery> {
    if (!this.#link.isOpen) throw disconnected();
    const { type, payload } = message;
    if (type === 'HOOK_EXECUTION_PROGRESS' && this.#link.waitingBytes > this.#limits.maxWaitingBytes) {
      throw tooManyBytes(this.#limits.maxWaitingBytes);
    }
    const data = this.#wire.encode(message);
    const isOwnAnswer = isResponseChannel(type) && (payload as { success?: unknown } | undefined)?.success !== true;
    this.#wire.sendToLog(message, data, isOwnAnswer);
    this.#listeners.deliver(message);
    return this.#link.confirm().then(() => 'unserved' as const);
  }

  /** Receives a message for a subscriber of all messages of a channel. Such a message settles, cancels or ends no request here. */
  #receive(channel: Channel, received: Msg): void {
    const { subject } = received;
    // What is addressed to this client arrives on its own subscriptions, and what it sent has been delivered.
    const isAddressed = subject.startsWith(`${this.#subjects.replies}.`) || subject.startsWith(`${this.#subjects.cancels}.`);
    if (isAddressed || this.#wire.isEcho(received)) return;
    this.#wire.read(received, (data) => this.#receiveFrom(subject, channel, data));
  }

  #receiveFrom(subject: string, channel: Channel, data: Uint8Array): void {
    const message = decodeMessage(data);
    if ('problem' in message || message.type !== channel) {
      log('a malformed message on %s: %s', subject, 'problem' in message ? message.problem : message.type);
      return;
    }
    const id = idOf(message);
    // Agents may publish failures of their own requests. They must not be able to publish the answer of a worker.
    const isForged =
      (this.#subjects.isOwnAnswer(subject) && (message.payload as { success?: unknown }).success !== false) ||
      (isAboutOneRequest(channel) && (this.#requester.isOpen(id) || this.#worker.isRunning(id)));
    // Agents may ask engines to announce themselves. They must not be able to announce hooks.
    const isAnnounced = this.#subjects.isForQueries(subject) && !isAnnouncementQuery(message);
    if (isAnnounced) log('an announcement on the subject of questions: %s', subject);
    else if (isForged) log('a message of a request that its sender did not receive: %s', subject);
    else if (isResponseChannel(channel) || channel === 'HOOK_EXECUTION_CANCEL') this.#listeners.deliverUnsolicited(message);
    else this.#listeners.deliver(message);
  }

  #lose(): void {
    // The listeners of the connection are called first: the bus then settles its requests with a better message.
    this.#tell('lost');
    this.#requester.lose();
  }

  #deny(operation: string, subject: string, error: Error): void {
    if (operation === 'publish to' && this.#requester.deny(subject, error)) return;
    const problem = notAllowed(operation, subject, error);
    if (subject === `${this.#subjects.replies}.>`) this.#refusal = problem;
    this.#report(problem);
  }

  #report(problem: NatsTransportError): void {
    log('%s', problem.message);
    if (this.#onProblem !== undefined) guarded(this.#onProblem, 'onProblem')(problem);
  }

  #tell(state: ConnectionState): void {
    for (const listener of [...this.#stateListeners]) {
      if (this.#stateListeners.has(listener)) listener(state);
    }
  }
}
