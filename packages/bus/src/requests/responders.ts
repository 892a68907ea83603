import type { BusMessage, HookExecutionProgress, PayloadOf, RequestChannel, ResponseError } from '@tenterhook/protocol';
import { exchanges } from '@tenterhook/protocol/internal';
import { Cancellation } from '@tenterhook/runtime/async';
import { createLog } from '@tenterhook/runtime/log';
import { describeThrown } from '@tenterhook/runtime/text';
import { MemoryTransport } from '../memory-transport.js';
import type { Transport } from '../transport.js';
import type { Entry, RequestTable, RunningRequest } from './request-table.js';
import { type Answer, type Failure, failure, findRequestError, isUnsolicited, responseMessage, withCorrelationId } from './responses.js';

const log = createLog('bus');

/** Read here, because a recorder may replace it in the class. */
const { publish: publishInMemory } = MemoryTransport.prototype;

type WithoutId<Payload> = Payload extends unknown ? Omit<Payload, 'correlationId'> : never;

/** A progress message of one request. The bus adds the id of the request. */
export type ProgressPayload = WithoutId<HookExecutionProgress>;

/** The second argument of a responder. It may be destructured. */
export interface RequestContext {
  readonly correlationId: string;

  /** Aborts when the request is cancelled, its timeout passes or the bus is closed. `signal.reason` is a text. */
  readonly signal: AbortSignal;

  /**
   * Whether a progress message that is published now may have a receiver. It is false only if there is certainly none. So a responder need
   * not build messages that no listener receives.
   */
  readonly isFollowed: boolean;

  /** Publishes a progress message of this request. May also be called after the answer, to report hooks that end late. */
  readonly progress: (payload: ProgressPayload) => void;
}

/** Answers a request. If it throws, or its answer has an invalid shape, the response is `internal_error`. */
export type RequestHandler<C extends RequestChannel> = (payload: PayloadOf<C>, context: RequestContext) => Promise<Answer<C>> | Answer<C>;

type AnyHandler = (payload: never, context: RequestContext) => unknown;

/** The responders of a bus. Sends exactly one response for each request that one of them receives. */
export class Responders {
  readonly #transport: Transport;
  readonly #table: RequestTable;
  readonly #send: (message: BusMessage) => void;

  constructor(transport: Transport, table: RequestTable, send: (message: BusMessage) => void) {
    this.#transport = transport;
    this.#table = table;
    this.#send = send;
  }

  /** Adds a responder. The returned function removes it. Requests in flight continue. */
  add(channel: RequestChannel, handler: AnyHandler, maxInFlight: number, route: string | undefined): () => void {
    let running = 0;
    const ended = () => {
      running -= 1;
    };
    const serve = ({ payload }: BusMessage) => {
      const error = findRequestError(channel, payload, this.#isRunning);
      if (error !== undefined) {
        this.refuse(channel, payload, error);
        return;
      }
      const correlationId = (payload as { correlationId?: string }).correlationId ?? this.#table.nextId();
      if (running >= maxInFlight) {
        const message = `The limit of ${maxInFlight} requests in flight is reached. Retry later, or raise maxInFlight.`;
        this.#send(responseMessage(channel, correlationId, failure('overloaded', message)));
        return;
      }
      running += 1;
      const exchange = new Exchange(correlationId, channel, payload, this);
      this.#table.addRunning(exchange);
      void this.#run(exchange, handler, ended);
    };
    return this.#transport.serve(channel, serve, route);
  }

  /** Answers a request that no server received. A malformed request is answered with an error that says what is wrong with it. */
  answerInstead(channel: RequestChannel, payload: unknown, answer: Failure): void {
    const error = findRequestError(channel, payload, this.#isRunning);
    if (error !== undefined) {
      this.refuse(channel, payload, error);
      return;
    }
    const correlationId = (payload as { correlationId?: string }).correlationId ?? this.#table.nextId();
    this.#send(responseMessage(channel, correlationId, answer));
  }

  /** Aborts the request that a cancel message names. Every bus of this process receives every cancel. A second abort has no effect. */
  readonly cancel = (message: BusMessage): void => {
    if (isUnsolicited(message)) return;
    const { correlationId, reason } = (message.payload ?? {}) as { correlationId?: string; reason?: unknown };
    this.#table.running(correlationId)?.abort(typeof reason === 'string' ? reason : 'cancelled');
  };

  /** Answers running requests with `disposed`, and then aborts them. If they were aborted first, a handler could answer first. */
  dispose(): void {
    for (const running of this.#table.listRunning(this)) {
      this.#settle(running, failure('disposed', 'The bus was closed before the request was answered.'));
      running.abort('disposed');
    }
  }

  readonly #isRunning = (correlationId: string): boolean => this.#table.running(correlationId) !== undefined;

  /** Answers a request under a generated id, because its own id is invalid or in use. */
  refuse(channel: RequestChannel, payload: unknown, error: ResponseError): void {
    const correlationId = this.#table.nextId();
    const waiter = this.#table.findRefusedWaiter(payload);
    if (waiter !== undefined) this.#table.renameWaiter(waiter, correlationId);
    this.#send(responseMessage(channel, correlationId, { success: false, error }));
  }

  /**
   * Calls the handler and sends its answer. The call happens during the delivery, so that no cancel can arrive before it. Never rejects.
   */
  async #run(exchange: Exchange, handler: AnyHandler, ended: () => void): Promise<void> {
    let answer: unknown;
    try {
      answer = await handler(exchange.payload as never, exchange);
    } catch (error) {
      log('the responder of %s failed on request %s: %O', exchange.channel, exchange.correlationId, error);
      answer = failure('internal_error', `The responder failed: ${describeThrown(error)}`);
    }
    ended();
    this.#settle(exchange, answer);
  }

  /** Sends the answer. The id is released first, so that subscribers of the response can use it again. */
  #settle(running: RunningRequest, answer: unknown): void {
    if (!this.#table.removeRunning(running)) return;
    this.#send(responseMessage(running.channel, running.correlationId, answer));
  }

  /**
   * Whether a progress message of a request may have a receiver. Only a transport in memory knows all receivers, unless its publish() is
   * replaced, for example by a recorder.
   */
  isFollowed(channel: RequestChannel): boolean {
    const transport = this.#transport;
    const knowsAll = transport instanceof MemoryTransport && transport.publish === publishInMemory;
    return !knowsAll || transport.isSubscribed(exchanges[channel].progress);
  }

  publishProgress({ channel, correlationId }: RunningRequest, payload: ProgressPayload): void {
    this.#send({ type: exchanges[channel].progress, payload: withCorrelationId(payload, correlationId) } as BusMessage);
  }
}

/**
 * One request, from its arrival at a responder to the response. Signal and progress function are created when they are first read, because
 * creating an AbortController takes three times as long as the rest of a request.
 */
class Exchange implements RequestContext, RunningRequest {
  readonly correlationId: string;
  readonly channel: RequestChannel;
  readonly payload: unknown;
  readonly owner: Responders;
  entry: Entry | undefined = undefined;
  #cancellation: Cancellation | undefined;
  #progress: RequestContext['progress'] | undefined;

  constructor(correlationId: string, channel: RequestChannel, payload: unknown, owner: Responders) {
    this.correlationId = correlationId;
    this.channel = channel;
    this.payload = payload;
    this.owner = owner;
  }

  /** For code of this repository, which can follow the cancel without a signal. */
  get cancellation(): Cancellation {
    this.#cancellation ??= new Cancellation();
    return this.#cancellation;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  get isFollowed(): boolean {
    return this.owner.isFollowed(this.channel);
  }

  get progress(): RequestContext['progress'] {
    this.#progress ??= (payload) => this.owner.publishProgress(this, payload);
    return this.#progress;
  }

  /** The first reason is used. */
  abort(reason: string): void {
    this.cancellation.abort(reason);
  }
}
