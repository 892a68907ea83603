import {
  type AnswerOf,
  type BusMessage,
  type Channel,
  exchanges,
  isRequestChannel,
  type MessageOf,
  type PayloadOf,
  type RequestChannel,
  type RequestOf,
} from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { createLog } from '@tenterhook/runtime/log';
import { MemoryTransport } from './memory-transport.js';
import { MessageIterator, type SubscribeOptions } from './message-iterator.js';
import { Publisher } from './publisher.js';
import { PendingRequests, type RequestOptions } from './requests/pending-requests.js';
import { RequestTable } from './requests/request-table.js';
import { type RequestHandler, Responders } from './requests/responders.js';
import {
  type AnyResponse,
  failure,
  isResponseChannel,
  markUnsolicited,
  noRespondersError,
  sendError,
  withCorrelationId,
} from './requests/responses.js';
import {
  requireChannel,
  requireCount,
  requireFunction,
  requireMessage,
  requireMs,
  requireRequest,
  requireRequestChannel,
  requireRoute,
  requireSubscriber,
} from './require-argument.js';
import { createStream, type Observable } from './streams.js';
import { Subscriptions } from './subscriptions.js';
import type { ConnectionState, Transport } from './transport.js';

const log = createLog('bus');

/** How a bus is created. */
export interface MessageBusOptions {
  /** Carries the messages. The bus does not close it. @default a `MemoryTransport` of its own, which it does close */
  readonly transport?: Transport | undefined;

  /** Milliseconds that a request which timed out or was cancelled still waits for its response, 0 to 2147483647. @default 100 */
  readonly cancelGraceMs?: number | undefined;
}

/** How a responder answers. */
export interface RespondOptions {
  /** Maximum number of requests in flight at this responder; one more is answered `overloaded`. An integer from 1. @default 1024 */
  readonly maxInFlight?: number | undefined;

  /** The route whose requests this responder answers. Required on a routed channel (`HOOK_HANDLER_CALL`: the engineId), refused on others. */
  readonly route?: string | undefined;
}

/** What `requestStream()` emits. */
export type ExchangeMessage<C extends RequestChannel> =
  | MessageOf<(typeof exchanges)[C]['progress']>
  | MessageOf<(typeof exchanges)[C]['response']>;

const noOptions: RequestOptions = {};
const nothing = () => {};

/**
 * Connects an agent, the hook service and observers of both. What it promises:
 * - every request has exactly one response message on the response channel: malformed requests, requests without a responder, requests whose
 *   responder fails, and requests that were only published;
 * - expected failures are values: request() resolves, with `error.code`; only wrong arguments throw or reject, with a TypeError;
 * - a subscriber that throws, or whose promise rejects, has no effect on others (field failure 77); `DEBUG=tenterhook:bus` shows it;
 * - responses are deeply frozen, including what a responder put into them; of other messages subscribers receive a frozen copy;
 * - a request that a responder took is settled by that responder alone, and cancelled by the bus that made it;
 * - after close() no listener is called, publish() is false and request() resolves `disposed`.
 */
export class MessageBus {
  readonly #transport: Transport;
  readonly #ownsTransport: boolean;
  readonly #cancelGraceMs: number;
  readonly #table: RequestTable;
  readonly #publisher: Publisher;
  readonly #responders: Responders;
  readonly #pending: PendingRequests;
  readonly #subscriptions: Subscriptions;
  /** Payloads of requests without a waiter: publish() sent them. */
  readonly #published = new WeakSet<object>();
  #closing: Promise<void> | undefined;

  constructor({ transport, cancelGraceMs = 100 }: MessageBusOptions = {}) {
    requireMs('cancelGraceMs', cancelGraceMs, 0);
    this.#transport = transport ?? new MemoryTransport();
    this.#ownsTransport = transport === undefined;
    this.#cancelGraceMs = cancelGraceMs;
    this.#table = RequestTable.on(this.#transport);
    this.#publisher = new Publisher(this.#transport, {
      unserved: ({ type, payload }) =>
        this.#responders.answerInstead(type as RequestChannel, payload, noRespondersError(type as RequestChannel, payload)),
      failed: (message, error) => this.#failUnsent(message, error),
      unanswered: (message) => this.#pending.receive(message),
    });
    this.#responders = new Responders(this.#transport, this.#table, this.#publisher.send);
    this.#pending = new PendingRequests(this.#table, cancelGraceMs, this.#publisher.send);
    this.#subscriptions = new Subscriptions(this.#transport);
    this.#subscriptions.watchConnection((state) => {
      if (state === 'lost') this.#pending.loseConnection();
    });
  }

  /** The subscriber receives every message of the channel, frozen, until the returned function is called. */
  subscribe<C extends Channel>(channel: C, subscriber: (message: MessageOf<C>) => void): () => void;
  /**
   * The same messages for a loop: `for await (const message of bus.subscribe(channel, { signal }))`. It is subscribed at once, and ends with the
   * loop, with the signal, or with the bus. Up to `maxBuffered` messages wait for the loop; beyond that the oldest are dropped, and counted.
   */
  subscribe<C extends Channel>(channel: C, options?: SubscribeOptions): MessageIterator<MessageOf<C>>;
  subscribe<C extends Channel>(
    channel: C,
    subscriber: ((message: MessageOf<C>) => void) | SubscribeOptions = {},
  ): (() => void) | MessageIterator<MessageOf<C>> {
    requireChannel(channel);
    requireSubscriber(subscriber);
    const add = (listener: (message: MessageOf<C>) => void, onClose: () => void) =>
      this.#subscriptions.add(channel, listener as (message: BusMessage) => void, onClose);
    return typeof subscriber === 'function' ? add(subscriber, nothing) : new MessageIterator(channel, add, subscriber);
  }

  /**
   * False when the message was not published: after close(), and for a cancel or a response that is not this bus's to give. A request is cancelled
   * by the bus that made it, and answered by the responder that took it. A request without correlation id gets one, in a copy.
   */
  publish(message: BusMessage): boolean {
    requireMessage(message);
    const refusal = this.#closing === undefined ? this.#refuse(message) : 'the bus is closed';
    if (refusal !== undefined) {
      log('%s was not published: %s', message.type, refusal);
      return false;
    }
    if (isResponseChannel(message.type)) markUnsolicited(message);
    this.#publisher.send(isRequestChannel(message.type) ? this.#asRequest(message) : message);
    return true;
  }

  /** Resolves to the response, or to a failure instead. With a transport in memory, the responder is called before this returns. */
  request<C extends RequestChannel, Name extends string>(
    channel: C,
    payload: RequestOf<C, Name>,
    options: RequestOptions = noOptions,
  ): Promise<AnswerOf<C, Name>> {
    // No async function: a promise that follows a promise costs two more turns of the loop. An error thrown in here rejects.
    return new Promise((resolve) => {
      requireRequest(channel, payload, options);
      this.#subscriptions.listen(exchanges[channel].response, this.#pending.receive);
      this.#pending.start(channel, payload, options, resolve as (response: AnyResponse) => void);
    });
  }

  /**
   * Answers requests of the channel. Each request goes to one of the responders, in turn; on a routed channel, to one of its route. The
   * returned function removes the responder. Requests in flight are still answered.
   */
  respond<C extends RequestChannel>(
    channel: C,
    handler: RequestHandler<C>,
    { maxInFlight = 1024, route }: RespondOptions = {},
  ): () => void {
    requireRequestChannel(channel);
    requireFunction('handler', handler);
    requireCount('maxInFlight', maxInFlight);
    requireRoute(channel, route);
    this.#subscriptions.listen(exchanges[channel].cancel, this.#responders.cancel);
    return this.#subscriptions.addServer(channel, () => this.#responders.add(channel, handler, maxInFlight, route));
  }

  /** The payloads of a channel as an observable. It completes when the bus is closed. */
  stream<C extends Channel>(channel: C): Observable<PayloadOf<C>> {
    requireChannel(channel);
    return createStream((sink) =>
      this.#subscriptions.add(
        channel,
        (message) => sink.next(message.payload as PayloadOf<C>),
        () => sink.complete(),
      ),
    );
  }

  /**
   * A request with its progress: each subscription sends it, receives the progress messages and the response, and completes. It never
   * errors. Unsubscribing before the end cancels the request.
   */
  requestStream<C extends RequestChannel, Name extends string>(
    channel: C,
    payload: RequestOf<C, Name>,
    options: RequestOptions = noOptions,
  ): Observable<ExchangeMessage<C>> {
    requireRequest(channel, payload, options);
    const { progress, response: type } = exchanges[channel];
    return createStream((sink) => {
      this.#subscriptions.listen(type, this.#pending.receive);
      this.#subscriptions.listen(progress, this.#pending.receiveProgress);
      const settle = (response: AnyResponse) => {
        sink.next({ type, payload: response } as ExchangeMessage<C>);
        sink.complete();
      };
      const waiter = this.#pending.start(channel, payload, options, settle, (message) => sink.next(message as ExchangeMessage<C>));
      return () => {
        if (waiter !== undefined) this.#pending.abandon(waiter, 'cancelled', 'The stream of the request was unsubscribed.');
      };
    });
  }

  /** Subscribers and responders of this bus on the channel. Listeners of the bus itself are not counted. */
  listenerCount(channel: Channel): number {
    requireChannel(channel);
    return this.#subscriptions.count(channel);
  }

  /**
   * Whether the channel has a subscriber, on this bus or on another of its transport, as far as the transport knows: the hub of sockets
   * knows all its ends, the others know their own.
   */
  isSubscribed(channel: Channel): boolean {
    requireChannel(channel);
    return this.#transport.isSubscribed?.(channel) ?? this.#subscriptions.isSubscribed(channel);
  }

  /**
   * Called when the transport has lost its connection, and when the connection is restored with all subscriptions and responders. At 'lost'
   * the requests of this bus that wait for an answer from another process have been settled, `disposed`. Never called for a transport that
   * cannot lose its connection, nor after close().
   */
  onConnectionChange(listener: (state: ConnectionState) => void): () => void {
    requireFunction('listener', listener);
    return this.#subscriptions.watchConnection(listener);
  }

  /**
   * Answers the requests in flight `disposed`, aborts the running handlers, and releases everything. Idempotent; does not wait for handlers,
   * and waits no longer than `cancelGraceMs` for a transport that is blocked.
   */
  close(): Promise<void> {
    if (this.#closing === undefined) {
      // Set before calling anything that might close the bus in turn.
      let follow: (closed: Promise<void>) => void = nothing;
      this.#closing = new Promise((resolve) => {
        follow = resolve;
      });
      follow(this.#shutDown());
    }
    return this.#closing;
  }

  /** `close()` at the end of a scope: `await using bus = new MessageBus()`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #shutDown(): Promise<void> {
    this.#subscriptions.removeServers();
    this.#responders.dispose();
    this.#pending.dispose();
    await this.#publisher.flush(this.#cancelGraceMs);
    this.#publisher.close();
    this.#subscriptions.removeAll();
    if (this.#ownsTransport) await this.#transport.close();
  }

  #asRequest(message: BusMessage): BusMessage {
    const payload: unknown = message.payload;
    if (!isPlainObject(payload)) return message;
    const isComplete = payload['correlationId'] !== undefined;
    const sent = isComplete ? payload : withCorrelationId(payload, this.#table.nextId());
    this.#published.add(sent);
    return isComplete ? message : ({ type: message.type, payload: sent } as BusMessage);
  }

  /**
   * Why a message is not this bus's to publish, as far as this process knows: every watcher sees the id of a request, and could otherwise end the
   * guards of others, or answer in their place. A transport between processes checks the same for its ends.
   */
  #refuse({ type, payload }: BusMessage): string | undefined {
    if (type !== 'HOOK_EXECUTION_CANCEL' && !isResponseChannel(type)) return undefined;
    const { correlationId } = (payload ?? {}) as { correlationId?: unknown };
    const running = this.#table.running(correlationId);
    if (type !== 'HOOK_EXECUTION_CANCEL') return running && `its request ${correlationId} is answered by the responder that took it`;
    const waiter = this.#table.waiter(correlationId);
    const isOwn =
      waiter !== undefined ? waiter.owner === this.#pending : running === undefined || this.#published.has(running.payload as object);
    return isOwn ? undefined : `the request ${correlationId} was made by another bus`;
  }

  #failUnsent({ type, payload }: BusMessage, error: unknown): void {
    const { code, message, isNowhere } = sendError(this.#transport.name, error);
    if (isNowhere) {
      this.#responders.answerInstead(type as RequestChannel, payload, failure(code, message));
      return;
    }
    const waiter = this.#table.findWaiter(payload);
    if (waiter !== undefined) this.#pending.fail(waiter, code, message);
  }
}
