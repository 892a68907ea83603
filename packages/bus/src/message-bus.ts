import type { AnswerOf, BusMessage, Channel, MessageOf, PayloadOf, RequestChannel, RequestOf } from '@tenterhook/protocol';
import { exchanges, isRequestChannel } from '@tenterhook/protocol/internal';
import { createLog } from '@tenterhook/runtime/log';
import { MemoryTransport } from './memory-transport.js';
import { MessageIterator, type SubscribeOptions } from './message-iterator.js';
import { Publisher } from './publisher.js';
import { PendingRequests, type RequestOptions } from './requests/pending-requests.js';
import { PublishedMessages } from './requests/published-messages.js';
import { RequestTable } from './requests/request-table.js';
import { type RequestHandler, Responders } from './requests/responders.js';
import {
  type AnyResponse,
  failure,
  idInUse,
  isResponseChannel,
  markUnsolicited,
  noRespondersError,
  sendError,
} from './requests/responses.js';
import {
  noOptions,
  requireBusOptions,
  requireChannel,
  requireCount,
  requireFunction,
  requireMessage,
  requireMs,
  requireRequest,
  requireRequestChannel,
  requireRespondOptions,
  requireRoute,
  requireSubscriber,
} from './require-argument.js';
import { type BusStream, createStream } from './streams.js';
import { type Objects, Subscriptions } from './subscriptions.js';
import type { ConnectionState, Transport } from './transport.js';

const log = createLog('bus');

/** How a bus is created. */
export interface MessageBusOptions {
  /** Carries the messages. The bus does not close this transport. @default a new `MemoryTransport`, which the bus closes */
  readonly transport?: Transport | undefined;

  /** How long the bus waits for a late response after the timeout or cancel of a request. Milliseconds, 0 to 2147483647. @default 100 */
  readonly cancelGraceMs?: number | undefined;
}

/** How a responder answers. */
export interface RespondOptions {
  /**
   * The maximum number of requests in flight at this responder. Further requests are answered with `overloaded`. An integer from 1.
   * @default 1024
   */
  readonly maxInFlight?: number | undefined;

  /**
   * The route whose requests this responder answers. Required on a routed channel, refused on others. On `HOOK_HANDLER_CALL` it is the
   * engineId.
   */
  readonly route?: string | undefined;
}

/** What `requestStream()` emits. */
export type ExchangeMessage<C extends RequestChannel> =
  | MessageOf<(typeof exchanges)[C]['progress']>
  | MessageOf<(typeof exchanges)[C]['response']>;

const nothing = () => {};

/**
 * Returns the payloads of a channel without copying them. The caller must not change a payload, and must not keep it after its turn, because
 * its owner may change it then. Saves 3 µs per message of 1 KB. A bus of another copy of this package returns its stream of copies.
 */
export function streamOriginals<C extends Channel>(bus: MessageBus, channel: C): BusStream<PayloadOf<C>> {
  return originalsOf(bus, channel);
}

/** Set by the class, because only code in it can read its private fields. */
let originalsOf: typeof streamOriginals;

/**
 * Connects an agent, the hook service and their observers. Its promises:
 * - Every request has exactly one response message on the response channel. This holds for malformed requests and for requests that no
 *   responder receives or that a responder fails to answer. It also holds for requests that were sent by publish().
 * - Expected failures are values: request() resolves with an `error.code`. Only wrong arguments throw or reject, with a TypeError.
 * - A subscriber that throws or rejects has no effect on others (field failure 77). `DEBUG=tenterhook:bus` shows the error.
 * - Responses are deeply frozen, including all objects of the responder. All other messages reach subscribers as frozen copies.
 * - Only the responder that received a request can answer it, and only the bus that made it can cancel it.
 * - After close() no listener is called, publish() returns false and request() resolves with `disposed`.
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
  readonly #published: PublishedMessages;
  #closing: Promise<void> | undefined;

  static {
    originalsOf = (bus, channel) => (#subscriptions in bus ? bus.#streamOf(channel, 'originals') : (bus as MessageBus).stream(channel));
  }

  constructor(options: MessageBusOptions = {}) {
    requireBusOptions(options);
    const { transport, cancelGraceMs = 100 } = options;
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
    this.#published = new PublishedMessages(this.#table, this.#pending);
    this.#subscriptions = new Subscriptions(this.#transport);
    this.#subscriptions.watchConnection((state) => {
      if (state === 'lost') this.#pending.loseConnection();
    });
  }

  /** Calls the subscriber with every message of the channel, frozen, until the returned function is called. */
  subscribe<C extends Channel>(channel: C, subscriber: (message: MessageOf<C>) => void): () => void;
  /**
   * Returns the messages for a loop: `for await (const message of bus.subscribe(channel, { signal }))`. The subscription begins with this
   * call. It ends when the loop is left, the signal aborts, or the bus is closed. If more than `maxBuffered` messages wait for the loop,
   * the oldest are dropped and counted.
   */
  subscribe<C extends Channel>(channel: C, options?: SubscribeOptions): MessageIterator<MessageOf<C>>;
  subscribe<C extends Channel>(
    channel: C,
    ...given: readonly [(((message: MessageOf<C>) => void) | SubscribeOptions)?]
  ): (() => void) | MessageIterator<MessageOf<C>> {
    requireChannel(channel);
    // A misspelt argument, e.g. `this.onMesage`, is `undefined`. Without this check, it would begin an iteration that no loop reads.
    const subscriber = given.length === 0 ? {} : given[0];
    requireSubscriber(subscriber);
    const add = (listener: (message: MessageOf<C>) => void, onClose: () => void) =>
      this.#subscriptions.add(channel, listener as (message: BusMessage) => void, onClose);
    return typeof subscriber === 'function' ? add(subscriber, nothing) : new MessageIterator(channel, add, subscriber);
  }

  /**
   * Publishes a message. A request without a correlation id is copied and gets a new one. Returns false if the message was not published:
   * - The bus is closed.
   * - The message cancels a request that another bus made.
   * - The message is a response to a request that a responder has received. Only that responder may answer it.
   */
  publish(message: BusMessage): boolean {
    requireMessage(message);
    const refusal = this.#closing === undefined ? this.#published.refuse(message) : 'the bus is closed';
    if (refusal !== undefined) {
      log('%s was not published: %s', message.type, refusal);
      return false;
    }
    if (isResponseChannel(message.type)) markUnsolicited(message);
    this.#publisher.send(isRequestChannel(message.type) ? this.#published.asRequest(message) : message);
    return true;
  }

  /**
   * Sends a request. Resolves to its response, or to a failure if there is none. With a transport in memory, the responder is called before
   * this method returns.
   */
  request<C extends RequestChannel, Name extends string>(
    channel: C,
    payload: RequestOf<C, Name>,
    options: RequestOptions = noOptions,
  ): Promise<AnswerOf<C, Name>> {
    // This is not an async function, because the promise would settle two microtask turns later. What is thrown here rejects the promise.
    return new Promise((resolve) => {
      requireRequest(channel, payload, options);
      this.#subscriptions.listen(exchanges[channel].response, this.#pending.receive);
      this.#pending.start(channel, payload, options, resolve as (response: AnyResponse) => void);
    });
  }

  /**
   * Answers requests of the channel. Each request goes to one responder, and responders take turns. On a routed channel, only responders
   * with the route of the request receive it. The returned function removes the responder, which still answers its requests in flight.
   */
  respond<C extends RequestChannel>(channel: C, handler: RequestHandler<C>, options: RespondOptions = {}): () => void {
    requireRequestChannel(channel);
    requireRespondOptions(options);
    const { maxInFlight = 1024, route } = options;
    requireFunction('handler', handler);
    requireCount('maxInFlight', maxInFlight);
    requireRoute(channel, route);
    this.#subscriptions.listen(exchanges[channel].cancel, this.#responders.cancel);
    return this.#subscriptions.addServer(channel, () => this.#responders.add(channel, handler, maxInFlight, route));
  }

  /**
   * Returns the payloads of a channel as an observable, which completes when the bus is closed. It can also be read in a loop:
   * `for await (const payload of bus.stream(channel))`.
   */
  stream<C extends Channel>(channel: C): BusStream<PayloadOf<C>> {
    requireChannel(channel);
    return this.#streamOf(channel, 'copies');
  }

  /**
   * Returns a request with its progress as an observable. Each subscription sends the request. The observable emits the progress messages
   * and the response, and completes. It never emits an error. Unsubscribing before the end cancels the request, and so does leaving a loop
   * over the stream.
   */
  requestStream<C extends RequestChannel, Name extends string>(
    channel: C,
    payload: RequestOf<C, Name>,
    options: RequestOptions = noOptions,
  ): BusStream<ExchangeMessage<C>> {
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

  /** Returns the number of subscribers and responders on the channel of this bus. The bus's own listeners are not counted. */
  listenerCount(channel: Channel): number {
    requireChannel(channel);
    return this.#subscriptions.count(channel);
  }

  /**
   * Whether the channel has a subscriber on this bus, or on another bus that the transport knows. The hub of a socket knows the subscribers
   * of all its connections. A client of the hub knows only its own subscribers.
   */
  isSubscribed(channel: Channel): boolean {
    requireChannel(channel);
    return this.#transport.isSubscribed?.(channel) ?? this.#subscriptions.isSubscribed(channel);
  }

  /**
   * Waits until subscriptions, responders and messages of this bus are in effect in other processes. Without it, a process that has just
   * subscribed can miss what another process publishes next. Resolves to false if the connection is lost or the bus is closed.
   */
  async flush(): Promise<boolean> {
    if (this.#closing !== undefined) return false;
    return (
      this.#transport.flush?.().then(
        () => true,
        (error: unknown) => {
          log('the transport %s was not flushed: %O', this.#transport.name, error);
          return false;
        },
      ) ?? true
    );
  }

  /**
   * Calls the listener with 'lost' when the transport has lost its connection. Calls it with 'restored' when the connection and all
   * subscriptions and responders are back. Before 'lost', requests that wait for an answer from another process are settled with
   * `disposed`. The listener is never called if the transport cannot lose its connection, or after close().
   */
  onConnectionChange(listener: (state: ConnectionState) => void): () => void {
    requireFunction('listener', listener);
    return this.#subscriptions.watchConnection(listener);
  }

  /**
   * Closes the bus: answers the requests in flight with `disposed`, aborts the running handlers, and removes all listeners. Does not wait
   * for handlers. Waits at most `cancelGraceMs` for a blocked transport. Idempotent.
   */
  close(): Promise<void> {
    if (this.#closing === undefined) {
      // The promise is set first, because a listener that is called below may close the bus again.
      let follow: (closed: Promise<void>) => void = nothing;
      this.#closing = new Promise((resolve) => {
        follow = resolve;
      });
      follow(this.#shutDown());
    }
    return this.#closing;
  }

  /** Calls `close()` at the end of a scope: `await using bus = new MessageBus()`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #streamOf<C extends Channel>(channel: C, objects: Objects): BusStream<PayloadOf<C>> {
    return createStream((sink) =>
      this.#subscriptions.add(
        channel,
        (message) => sink.next(message.payload as PayloadOf<C>),
        () => sink.complete(),
        objects,
      ),
    );
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

  #failUnsent({ type, payload }: BusMessage, error: unknown): void {
    const { code, message, isNowhere, isIdTaken } = sendError(this.#transport.name, error);
    const channel = type as RequestChannel;
    const waiter = this.#table.findWaiter(payload);
    if (isIdTaken) this.#responders.refuse(channel, payload, idInUse((payload as { correlationId: string }).correlationId));
    else if (isNowhere) this.#responders.answerInstead(channel, payload, failure(code, message));
    else if (waiter !== undefined) {
      // A request that was cancelled before it was sent has not failed because of the transport.
      const ending = waiter.ending ?? { code, message };
      this.#pending.fail(waiter, ending.code, ending.message);
    }
  }
}
