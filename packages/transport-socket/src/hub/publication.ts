import type { Delivery, TransportListener } from '@tenterhook/bus';
import { keyOfMessage } from '@tenterhook/bus/internal';
import type { BusMessage } from '@tenterhook/protocol';
import { EncodedMessage } from '../encoded-message.js';
import type { SocketTransportError } from '../socket-error.js';

/** One connection, as far as messages on their way have to do with it. */
export interface HubPeer {
  readonly isOpen: boolean;
  /** A message for its subscribers (`isNew`), for its server, or both. */
  carry(publication: Publication, isNew: boolean, server: Server | undefined): void;
  /** The place of a message that it published itself. */
  placeOwn(publication: Publication, id: number, isNew: boolean, server: Server | undefined, delivery: Delivery | undefined): void;
  tellOutcome(id: number, outcome: Delivery | SocketTransportError): void;
}

/** Somebody who serves a channel, or a route of it: in the process of the hub, or behind a connection, where it has a number. */
export type Server =
  | { readonly key: string; readonly listener: TransportListener; readonly connection?: undefined }
  | { readonly key: string; readonly connection: HubPeer; readonly number: number };

/** The connection that published a message, and the number by which it knows it. */
export interface Publisher {
  readonly connection: HubPeer;
  readonly id: number;
}

/** One message on its way through the hub, until it is known what became of it. */
export class Publication {
  readonly message: BusMessage;
  /** Undefined where the process of the hub published it. */
  readonly publisher: Publisher | undefined;
  readonly key: string;
  readonly tried = new Set<Server>();
  #encoded: EncodedMessage | undefined;
  #outcome: Delivery | SocketTransportError | undefined;
  #tell: ((outcome: Delivery | SocketTransportError) => void) | undefined;

  constructor(message: BusMessage, publisher?: Publisher) {
    this.message = message;
    this.publisher = publisher;
    this.key = keyOfMessage(message);
  }

  /** Throws where the message cannot travel. */
  encode(maxMessageBytes: number): EncodedMessage {
    this.#encoded ??= new EncodedMessage(this.message, maxMessageBytes);
    return this.#encoded;
  }

  /** The first outcome counts. */
  settle(outcome: Delivery | SocketTransportError): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#tell?.(outcome);
    this.publisher?.connection.tellOutcome(this.publisher.id, outcome);
  }

  /** The same, where the publisher's connection has been told already. */
  settleQuietly(outcome: Delivery): void {
    this.#outcome ??= outcome;
  }

  get isSettled(): boolean {
    return this.#outcome !== undefined;
  }

  /** What publish() in the process of the hub gives: no promise where it is known already. */
  delivery(): Delivery | Promise<Delivery> {
    if (typeof this.#outcome === 'string') return this.#outcome;
    return new Promise((resolve, reject) => {
      const tell = (outcome: Delivery | SocketTransportError) => (typeof outcome === 'string' ? resolve(outcome) : reject(outcome));
      if (this.#outcome === undefined) this.#tell = tell;
      else tell(this.#outcome);
    });
  }
}
