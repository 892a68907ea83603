import type { BusMessage, Channel } from '@tenterhook/protocol';
import { routeOf } from '@tenterhook/protocol/internal';

/** Whether a server of the channel has received the message. Subscribers make no difference, because they do not answer. */
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
 *   protocol) reaches only servers of its route, and these take turns. A transport between processes may give a route to the end that serves
 *   it first, and refuse servers of other ends while it does.
 * - publish() is 'unserved' if and only if no server receives the message. The publisher then answers in place of a server. So a wrong
 *   'unserved' causes a second response, and a wrong 'served' causes a missing one.
 * - publish() never fails because of a listener, and never waits for asynchronous work of a listener. It rejects only if the message could
 *   not be carried. The `code` of the error says why: `disposed` after close(); `disconnected` while there is no connection
 *   (`onConnectionChange`); and for messages that no listener has received: `too_large` and `not_json` if they cannot be sent, `id_in_use`
 *   for a request with the id of another request in flight, `overloaded` for a request beyond a limit of the transport.
 * - A listener that was added by subscribe() or serve() receives everything that the same bus publishes afterwards. Once the returned
 *   function was called, it receives nothing more.
 * - A transport between processes checks who sends an answer or a cancel. (Each connected process is an end of the transport.) An answer
 *   has an effect only at the end that made the request, and only if it comes from the end that received the request. A cancel has an
 *   effect only if it comes from the end that made the request. Other answers and cancels are refused with the error code `refused`; if
 *   there is no such request in flight, they have no effect at other ends. Knowing an id is not enough, because every subscriber sees the
 *   ids of all requests and may guess later ones. Within a process the bus makes this check.
 * - Messages are not modified. Within a process the published object itself arrives. A message from another process has passed
 *   `parseMessage`, which does not refuse malformed requests, because the bus answers these.
 * - close() is idempotent, works while a publish is blocked, and resolves when nothing of the transport is pending. After it, publish()
 *   rejects with `disposed`, and no listener is called again.
 *
 * A bus closes a transport that it created, but not one that was passed to it.
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
   * share of the messages of this route. The bus makes sure that every server on a routed channel has a route, and that no other server has
   * one.
   */
  serve(channel: Channel, listener: TransportListener, route?: string): () => void;

  /**
   * Whether the channel has a subscriber, as far as this transport knows. Servers are not subscribers. A transport always knows the
   * subscribers in its own process. It may also know those of other processes, after it was notified of them. The bus does not create
   * messages that have no receiver. Called for each event, so it must be fast.
   * @default only the subscribers of the bus itself are known
   */
  isSubscribed?(channel: Channel): boolean;

  /**
   * Present only in transports that can lose their connection. Calls the listener when the connection is lost, and when it is restored
   * together with the subscriptions and servers. While the connection is lost, publish() rejects with the code `disconnected`. An earlier
   * publish() that is still pending rejects in the same way, although a server may have received its message.
   */
  onConnectionChange?(listener: (state: ConnectionState) => void): () => void;

  /** Closes the transport. Idempotent. Resolves when nothing is pending. */
  close(): Promise<void>;
}

/**
 * Returns the key of a group of servers that take turns: their channel and, on a routed channel, their route. The name of a channel
 * contains no space, so the key is unique.
 */
export function serverKey(channel: string, route: string | undefined): string {
  return route === undefined ? channel : `${channel} ${route}`;
}

/** Returns the key of those servers that may receive a message. */
export function keyOfMessage(message: { readonly type: string; readonly payload: unknown }): string {
  return serverKey(message.type, routeOf(message));
}
