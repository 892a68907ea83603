import type { BusMessage, Channel } from '@tenterhook/protocol';
import { routeOf } from '@tenterhook/protocol/internal';

/** Whether a server of the channel received the message. Subscribers do not count, because they do not answer. */
export type Delivery = 'served' | 'unserved';

/** Whether a transport has lost or restored its connection to the other processes. */
export type ConnectionState = 'lost' | 'restored';

/** Which messages a listener needs: all of its channel, or only those for its own process. */
export type ListenerScope = 'all' | 'addressed';

/** Receives the messages of a transport. The listeners of a `MessageBus` never throw. */
export type TransportListener = (message: BusMessage) => void;

/**
 * Carries messages between buses. `transportConformance` of packages/testing tests these promises of every transport:
 * - Order: messages of one publisher reach each listener in the order of their publication. Between publishers there is no order.
 * - Subscribers: a message reaches every subscriber of its channel on every bus of the transport, including the publisher's own.
 * - Servers: a message reaches exactly one server of its channel, if it has any. Servers take turns; a transport across machines may choose
 *   at random between processes. On a routed channel (`routeOf` of the protocol), the message reaches one of the servers of its route. A
 *   transport between processes may give a route to the process that serves it first, and refuse servers of other processes.
 * - Delivery: publish() returns 'unserved' if and only if no server receives the message. The publisher then answers in place of a server.
 *   So a wrong 'unserved' causes a second response, and a wrong 'served' causes a missing one.
 * - Errors: publish() never fails because of a listener, and does not wait for asynchronous work of a listener. It rejects only if the
 *   message could not be carried. The code is `disposed` after close(), and `disconnected` while there is no connection
 *   (`onConnectionChange`), or if it is unknown whether a server received the message. With all other codes no server has received it.
 *   `too_large` and `not_json`: it cannot be sent. `overloaded`: a limit of the transport is reached. With these three, no subscriber has
 *   received the message either. `id_in_use`: another request in flight has its id.
 * - Listeners: a listener receives everything that its bus publishes after subscribe() or serve(). After the returned function was called,
 *   it receives nothing.
 * - Rights: a transport between processes checks who sends an answer or a cancel, because every subscriber sees the ids of requests. Only
 *   the process that received a request can answer it, and only the process that made it can cancel it. Other answers and cancels are
 *   refused with the code `refused`. An answer or a cancel whose request is not in flight has no effect in other processes. Within a
 *   process the bus makes this check.
 * - Messages are not modified. Within a process the published object itself arrives. A message from another process has passed
 *   `parseMessage`, which accepts malformed requests, because the bus answers them.
 * - close() is idempotent, works while a publish is blocked, and resolves when nothing of the transport is pending. After it, publish()
 *   rejects with `disposed`, and no listener is called.
 *
 * A bus closes only a transport that it created.
 */
export interface Transport {
  /** The name in messages to people: `memory`, `socket`, `nats`. */
  readonly name: string;

  /**
   * Carries a message to its subscribers and to one server. Rejects only if the message could not be carried. `timeoutMs` is how long the
   * sender of a request waits for its answer, in milliseconds. A transport between processes may pass it on, and cancel the request there
   * after this time. So the work ends even if the sender can no longer cancel it.
   */
  publish(message: BusMessage, timeoutMs?: number): Delivery | Promise<Delivery>;

  /**
   * Calls the listener with every message of the channel, until the returned function is called. A listener with the scope `addressed`
   * needs only the messages for its own process: the answers to its requests, their progress, and cancels of requests that it serves. A
   * transport may leave out the others.
   */
  subscribe(channel: Channel, listener: TransportListener, scope?: ListenerScope): () => void;

  /**
   * Adds a server. Each message of the channel goes to one of the channel's servers. With a route, the server receives only messages of
   * this route. The bus makes sure that servers have a route on routed channels, and only there.
   */
  serve(channel: Channel, listener: TransportListener, route?: string): () => void;

  /**
   * Whether the channel has a subscriber, as far as this transport knows. Servers are not subscribers. A transport always knows the
   * subscribers in its own process, and may know those of other processes. The bus calls this method for each event, to avoid messages
   * without a receiver. So the method must be fast.
   * @default only the subscribers of the bus itself are known
   */
  isSubscribed?(channel: Channel): boolean;

  /**
   * Resolves when everything that this transport was asked to do before is in effect in the other processes: its listeners are known, and
   * its messages were read. Rejects with `disconnected` or `disposed`.
   * @default everything is in effect at once
   */
  flush?(): Promise<void>;

  /**
   * Present only if the transport can lose its connection. Calls the listener when the connection is lost, and when it is restored with its
   * subscriptions and servers. While it is lost, publish() rejects with the code `disconnected`. A pending publish() rejects in the same
   * way, although a server may have received its message.
   */
  onConnectionChange?(listener: (state: ConnectionState) => void): () => void;

  /** Closes the transport. Idempotent. Resolves when nothing is pending. */
  close(): Promise<void>;
}

/**
 * Returns the key of a group of servers that take turns. It has the channel and the route, if any. Channel names contain no space, so the
 * key is unique.
 */
export function serverKey(channel: string, route: string | undefined): string {
  return route === undefined ? channel : `${channel} ${route}`;
}

/** Returns the key of those servers that may receive a message. */
export function keyOfMessage(message: { readonly type: string; readonly payload: unknown }): string {
  return serverKey(message.type, routeOf(message));
}
