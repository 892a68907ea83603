import type { BusMessage, Channel } from '@tenterhook/protocol';

/** Whether a server of the channel has got the message. Subscribers do not count: they watch, they do not answer. */
export type Delivery = 'served' | 'unserved';

/** Whether a transport reaches the others. */
export type ConnectionState = 'lost' | 'restored';

/** What a transport hands messages to. The listeners of a `MessageBus` never throw. */
export type TransportListener = (message: BusMessage) => void;

/**
 * Carries messages between buses. What every transport promises (`transportConformance` of packages/testing tries it):
 * - messages of one publisher reach each listener in the order they were published; nothing is promised between publishers;
 * - a message reaches every subscriber of its channel on every bus of the transport, the publisher's own included, and, where the channel
 *   has servers, exactly one of them; servers take turns. A message of a routed channel (`routeOf` of the protocol) is for the servers of
 *   its route alone, and these take turns;
 * - publish() is 'unserved' if and only if no server got, or will get, the message: the publisher then answers in the server's place, so a
 *   wrong 'unserved' is a second response, and a wrong 'served' is none;
 * - publish() never fails because of a listener, and never waits for what one does asynchronously. It rejects only when the message could
 *   not be carried, with an error whose `code` says why: `disposed` after close(), `too_large` and `not_json` for a message that cannot
 *   travel and has got nowhere, `disconnected` while there is no connection (`onConnectionChange`);
 * - subscribe() and serve() are in force for everything the same bus publishes after them; once the function they returned was called,
 *   their listener gets nothing more;
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

  publish(message: BusMessage): Delivery | Promise<Delivery>;

  /** The listener gets every message of the channel. */
  subscribe(channel: Channel, listener: TransportListener): () => void;

  /**
   * The listener gets its share of the messages of the channel: each goes to one server only. With a route it gets its share of the messages
   * of this route. On a routed channel every server has one, and on other channels none has; the bus sees to that.
   */
  serve(channel: Channel, listener: TransportListener, route?: string): () => void;

  /**
   * Whether anybody subscribes to the channel, on any end that this end knows of; servers do not count. It always knows its own subscribers,
   * from subscribe() on until the last of them has gone; others from when news of them has come here, until it is known that they have gone.
   * A message that nobody would see need not be made. Asked for each event, so it must be cheap. @default only the bus itself is asked
   */
  isSubscribed?(channel: Channel): boolean;

  /**
   * For transports that can lose what they travel on: tells when it was lost, and when everything stands again, the subscriptions and the
   * servers of the transport included. While it is lost publish() rejects with the code `disconnected`, and so does what was published
   * before and whose delivery is not known: it may have been served. Absent where nothing can be lost.
   */
  onConnectionChange?(listener: (state: ConnectionState) => void): () => void;

  close(): Promise<void>;
}
