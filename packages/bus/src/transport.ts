import { type BusMessage, type Channel, routeOf } from '@tenterhook/protocol';

/** Whether a server of the channel has received the message. Subscribers do not count: they do not answer. */
export type Delivery = 'served' | 'unserved';

/** Whether the connection of a transport to the other processes was lost or restored. */
export type ConnectionState = 'lost' | 'restored';

/** Receives the messages of a transport. The listeners of a `MessageBus` never throw. */
export type TransportListener = (message: BusMessage) => void;

/**
 * Carries messages between buses. Every transport promises the following, and `transportConformance` of packages/testing tests it:
 * - Order: messages of one publisher reach each listener in the order in which they were published. Between publishers there is no order.
 * - Receivers: a message reaches every subscriber of its channel on every bus of the transport, including the publisher's own. If the
 *   channel has servers, the message reaches exactly one of them; servers take turns. A message of a routed channel (`routeOf` of the
 *   protocol) reaches only servers of its route, and these take turns.
 * - publish() is 'unserved' if and only if no server receives the message. The publisher then answers in place of a server. So a wrong
 *   'unserved' causes a second response, and a wrong 'served' causes a missing one.
 * - publish() never fails because of a listener, and never waits for asynchronous work of a listener. It rejects only if the message could
 *   not be carried. The `code` of the error says why: `disposed` after close(); `disconnected` while there is no connection
 *   (`onConnectionChange`); and for messages that no listener has received: `too_large` and `not_json` if they cannot be sent, `id_in_use`
 *   for a request under the id of another one in flight, `overloaded` for a request beyond a limit of the transport.
 * - subscribe() and serve() apply to everything that the same bus publishes afterwards. Once the function that they returned was called,
 *   their listener receives nothing more.
 * - Between processes, an answer counts only at the end that made the request, and only from the end that the transport gave this request
 *   to; a cancel counts only from the end that made the request. Others are refused with the error code `refused`, or, if there is no such
 *   request, have no effect at other ends. Ids give no rights: every subscriber sees those of all requests, and may guess later ones.
 *   Within a process the bus makes this check.
 * - Messages are not modified. Within a process the published object itself arrives. A message from another process has passed
 *   `parseMessage`, which lets malformed requests through on purpose: the bus answers them.
 * - close() is idempotent, works while a publish is blocked, and resolves when nothing of the transport is pending. After it, publish()
 *   rejects with `disposed`, and no listener is called again.
 *
 * A bus closes a transport that it created, but not one that it was given.
 */
export interface Transport {
  /** The name in messages to people: `memory`, `socket`, `nats`. */
  readonly name: string;

  /** Carries a message to its subscribers and to one server. Rejects only if it could not be carried. */
  publish(message: BusMessage): Delivery | Promise<Delivery>;

  /** The listener receives every message of the channel, until the returned function is called. */
  subscribe(channel: Channel, listener: TransportListener): () => void;

  /**
   * The listener receives its share of the messages of the channel: each message goes to one server only. With a route, it receives its
   * share of the messages of this route. On a routed channel every server has a route, on other channels no server has one. The bus ensures
   * this.
   */
  serve(channel: Channel, listener: TransportListener, route?: string): () => void;

  /**
   * Whether the channel has a subscriber on an end that this end knows of; servers do not count. A transport always knows its own
   * subscribers, from subscribe() until the last of them has left. It knows those of other ends from when it is notified of them until it
   * knows that they have left. The bus uses this to avoid making messages without a receiver. Called for each event, so it must be cheap.
   * @default only the subscribers of the bus itself are known
   */
  isSubscribed?(channel: Channel): boolean;

  /**
   * For transports that can lose their connection. Calls the listener when the connection is lost, and when it is restored together with
   * the subscriptions and servers of the transport. While the connection is lost, publish() rejects with the code `disconnected`. So does
   * an earlier publish() whose delivery is unknown: a server may have received its message. Absent if the transport has no connection to
   * lose.
   */
  onConnectionChange?(listener: (state: ConnectionState) => void): () => void;

  /** Closes the transport. Idempotent. Resolves when nothing is pending. */
  close(): Promise<void>;
}

/**
 * The key of the servers that take turns: their channel and, on a routed channel, their route. The name of a channel contains no space, so
 * different pairs never have the same key.
 */
export function serverKey(channel: string, route: string | undefined): string {
  return route === undefined ? channel : `${channel} ${route}`;
}

/** The key of those servers that may receive a message. */
export function keyOfMessage(message: { readonly type: string; readonly payload: unknown }): string {
  return serverKey(message.type, routeOf(message));
}
