import type { BusMessage, Channel } from '@tenterhook/protocol';

/** Whether a server of the channel has got the message. Subscribers do not count: they watch, they do not answer. */
export type Delivery = 'served' | 'unserved';

/** What a transport hands messages to. The listeners of a `MessageBus` never throw. */
export type TransportListener = (message: BusMessage) => void;

/**
 * Carries messages between buses. What every transport promises:
 * - messages of one publisher reach each listener in the order they were published; nothing is promised between publishers;
 * - a message reaches every subscriber of its channel on every bus of the transport, the publisher's own included, and, where the channel
 *   has servers, exactly one of them; servers take turns;
 * - publish() is 'unserved' if and only if no server got, or will get, the message: the publisher then answers in the server's place, so a
 *   wrong 'unserved' is a second response, and a wrong 'served' is none;
 * - publish() never fails because of a listener, and never waits for what one does asynchronously. It rejects only when the message could
 *   not be carried, with an error whose `code` says why (`disposed` after close());
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

  /** The listener gets its share of the messages of the channel: each goes to one server only. */
  serve(channel: Channel, listener: TransportListener): () => void;

  close(): Promise<void>;
}
