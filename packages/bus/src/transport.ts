import { type BusMessage, type Channel, routeOf } from '@tenterhook/protocol';

/** Whether a server of the channel has got the message. Subscribers do not count: they do not answer. */
export type Delivery = 'served' | 'unserved';

/** Whether a transport reaches the other processes. */
export type ConnectionState = 'lost' | 'restored';

/** Receives the messages of a transport. The listeners of a `MessageBus` never throw. */
export type TransportListener = (message: BusMessage) => void;

/**
 * Carries messages between buses. What every transport promises (`transportConformance` of packages/testing tries it):
 * - messages of one publisher reach each listener in the order they were published; nothing is promised between publishers;
 * - a message reaches every subscriber of its channel on every bus of the transport, the publisher's own included, and, where the channel
 *   has servers, exactly one of them; servers take turns. A message of a routed channel (`routeOf` of the protocol) is for the servers of
 *   its route alone, and these take turns;
 * - publish() is 'unserved' if and only if no server got, or will get, the message: the publisher then answers in the server's place, so a
 *   wrong 'unserved' causes a second response, and a wrong 'served' causes a missing one;
 * - publish() never fails because of a listener, and never waits for what one does asynchronously. It rejects only when the message could
 *   not be carried, with an error whose `code` says why: `disposed` after close(), `too_large` and `not_json` for a message that cannot
 *   travel and has reached no one, `disconnected` while there is no connection (`onConnectionChange`);
 * - subscribe() and serve() are in force for everything the same bus publishes after them; once the function they returned was called,
 *   their listener gets nothing more;
 * - between processes a message is refused, with an error whose code is `refused`, if it cancels a request that another end made, or answers one that
 *   another end took: every subscriber sees the ids of requests. Within a process the bus ensures it;
 * - messages are not modified. In one process the object that was published is the one that arrives. What comes from another process has
 *   passed `parseMessage`, which lets malformed requests through on purpose: the bus answers them;
 * - close() is idempotent, works while a publish is blocked, and resolves when nothing of the transport is pending; after it publish()
 *   rejects with `disposed` and no listener is called again.
 *
 * A bus closes the transport it made itself, and leaves one that it was given to its owner.
 */
export interface Transport {
  /** For messages to people: `memory`, `socket`, `nats`. */
  readonly name: string;

  /** Carries a message to its subscribers and to one server. Rejects only if it could not be carried. */
  publish(message: BusMessage): Delivery | Promise<Delivery>;

  /** The listener gets every message of the channel. */
  subscribe(channel: Channel, listener: TransportListener): () => void;

  /**
   * The listener gets its share of the messages of the channel: each goes to one server only. With a route it gets its share of the messages
   * of this route. On a routed channel every server has a route, on other channels no server has one; the bus ensures that.
   */
  serve(channel: Channel, listener: TransportListener, route?: string): () => void;

  /**
   * Whether the channel has a subscriber on any end that this end knows of; servers do not count. It always knows its own subscribers, from
   * subscribe() until the last of them has left; others from when news of them has arrived, until it is known that they have left. It
   * spares making a message without a receiver. Called for each event, so it must be cheap. @default only the bus itself is asked
   */
  isSubscribed?(channel: Channel): boolean;

  /**
   * For transports that can lose their connection: called when it is lost, and when it is restored together with the subscriptions and the
   * servers of the transport. While it is lost publish() rejects with the code `disconnected`, and so does an earlier publish() whose
   * delivery is not known: its message may have been served. Absent where nothing can be lost.
   */
  onConnectionChange?(listener: (state: ConnectionState) => void): () => void;

  /** Ends the transport. Idempotent; resolves when nothing is pending. */
  close(): Promise<void>;
}

/**
 * What servers that take turns have in common: their channel, and on a routed channel their route. The name of a channel contains no space,
 * so two different pairs never have the same key.
 */
export function serverKey(channel: string, route: string | undefined): string {
  return route === undefined ? channel : `${channel} ${route}`;
}

/** The key of the servers that a message is for. */
export function keyOfMessage(message: { readonly type: string; readonly payload: unknown }): string {
  return serverKey(message.type, routeOf(message));
}
