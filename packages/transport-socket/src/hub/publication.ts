import type { Delivery, TransportListener } from '@tenterhook/bus';
import { keyOfMessage } from '@tenterhook/bus/internal';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import type { SocketTransportError } from '../socket-error.js';
import { EncodedMessage } from '../wire/encoded-message.js';

export interface HubPeer {
  readonly isOpen: boolean;
  /** Identifies the client, even after a reconnection. Only the client and the hub know it. Empty before the hello. */
  readonly identity: string;
  /** Sends a message to the subscribers (`isNew`), to one of the servers, or to both. */
  carry(publication: Publication, isNew: boolean, server: Server | undefined): void;
  /** Reports to the client that the message which it published with this id is next in the order of the hub. */
  placeOwn(publication: Publication, id: number, isNew: boolean, server: Server | undefined, delivery: Delivery | undefined): void;
  tellOutcome(id: number, outcome: Delivery | SocketTransportError): void;
}

/**
 * A server of a channel, or of one route of a routed channel. Without `connection`, it is in the process of the hub. Otherwise it
 * is in the process of a client, which chose `number`.
 */
export type Server =
  | { readonly key: string; readonly listener: TransportListener; readonly connection?: undefined }
  | { readonly key: string; readonly connection: HubPeer; readonly number: number };

/** The connection that published a message, and the number that the client gave the message. */
export interface Publisher {
  readonly connection: HubPeer;
  readonly id: number;
}

/** What the hub knows about an unanswered request. */
export interface RequestEntry {
  /** The process that made it. Undefined for the process of the hub. */
  readonly requester: HubPeer | undefined;
  readonly responseChannel: Channel;
  /**
   * The identity of the process whose server received the request. Without a server, the requester answers itself, so this is the
   * requester's identity.
   */
  responder: string;
  isCancelled: boolean;
}

const none: readonly Server[] = [];

/** One message on its way through the hub, until its delivery is known. */
export class Publication {
  readonly message: BusMessage;
  /** Undefined if the process of the hub published the message. */
  readonly publisher: Publisher | undefined;
  readonly key: string;
  /** The servers that were chosen so far. A list, because there is nearly always one, and a set takes longer to create. */
  tried = none;
  /** Set for a recorded request. */
  entry: RequestEntry | undefined;
  /**
   * The identity of the only process at which this message has an effect. If undefined, the message has an effect at every process.
   */
  countsAt: string | undefined;
  #encoded: EncodedMessage | undefined;
  #outcome: Delivery | SocketTransportError | undefined;
  #tell: ((outcome: Delivery | SocketTransportError) => void) | undefined;

  constructor(message: BusMessage, publisher?: Publisher) {
    this.message = message;
    this.publisher = publisher;
    this.key = keyOfMessage(message);
  }

  /** Throws if the message cannot be sent. */
  encode(maxMessageBytes: number): EncodedMessage {
    this.#encoded ??= new EncodedMessage(this.message, maxMessageBytes);
    return this.#encoded;
  }

  /** Tests whether the message has an effect at a process. Without `end`, this is the process of the hub. */
  counts(end: HubPeer | undefined): boolean {
    return this.countsAt === undefined || this.countsAt === identityOf(end);
  }

  /** Settles the publication and reports the outcome. If it is already settled, nothing happens. */
  settle(outcome: Delivery | SocketTransportError): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#tell?.(outcome);
    this.publisher?.connection.tellOutcome(this.publisher.id, outcome);
  }

  /** Settles the publication. The publisher has already received the outcome, so there is no report. */
  settleQuietly(outcome: Delivery): void {
    this.#outcome ??= outcome;
  }

  get isSettled(): boolean {
    return this.#outcome !== undefined;
  }

  /** Returns the result of publish() in the process of the hub. This is a promise only if the delivery is not known yet. */
  delivery(): Delivery | Promise<Delivery> {
    if (typeof this.#outcome === 'string') return this.#outcome;
    return new Promise((resolve, reject) => {
      const tell = (outcome: Delivery | SocketTransportError) => (typeof outcome === 'string' ? resolve(outcome) : reject(outcome));
      if (this.#outcome === undefined) this.#tell = tell;
      else tell(this.#outcome);
    });
  }
}

/** Returns the identity of a client, or '' for the process of the hub. */
export function identityOf(end: HubPeer | undefined): string {
  return end?.identity ?? '';
}

/** The servers with the same channel and route. A change creates a new list, so that a loop over the old list is not disturbed. */
interface Turns {
  list: readonly Server[];
  next: number;
}

/**
 * All servers of a hub: those in its own process and those of its connections. Servers with the same channel and route take turns.
 *
 * A route is the address of one process, e.g. the id of an engine. It belongs to the process that serves it first, until that
 * process stops. Otherwise another process could answer the calls of the engine's guards.
 */
export class ServerTable {
  readonly #turns = new Map<string, Turns>();

  /** Adds a server and returns true. If its route belongs to another process, returns false and adds nothing. */
  add(server: Server, hasRoute: boolean): boolean {
    if (hasRoute && this.isOfAnother(server.key, server.connection)) return false;
    const turns = this.#turns.get(server.key) ?? { list: [], next: 0 };
    turns.list = [...turns.list, server];
    this.#turns.set(server.key, turns);
    return true;
  }

  remove(server: Server): void {
    const turns = this.#turns.get(server.key);
    if (turns === undefined) return;
    turns.list = turns.list.filter((other) => other !== server);
    // New routes are added all the time. Without this deletion the map would grow without limit.
    if (turns.list.length === 0) this.#turns.delete(server.key);
  }

  /**
   * Returns the next server in turn, or undefined if all were tried. Servers in `tried` and servers of closed connections are
   * skipped.
   */
  next(key: string, tried: readonly Server[]): Server | undefined {
    const turns = this.#turns.get(key);
    if (turns === undefined) return undefined;
    const { list } = turns;
    for (let step = 0; step < list.length; step += 1) {
      const index = (turns.next + step) % list.length;
      const server = list[index] as Server;
      if (tried.includes(server) || server.connection?.isOpen === false) continue;
      turns.next = index + 1;
      return server;
    }
    return undefined;
  }

  /** Tests whether any server with this key belongs to another connection than `here`. */
  isElsewhere(key: string, here: HubPeer | undefined): boolean {
    return this.#turns.get(key)?.list.some(({ connection }) => connection !== undefined && connection !== here) ?? false;
  }

  /**
   * Tests whether another process has a server with this key. A client that has reconnected is the same process, even if the hub
   * has not noticed yet that its old connection ended.
   */
  isOfAnother(key: string, end: HubPeer | undefined): boolean {
    const open = this.#turns.get(key)?.list.filter(({ connection }) => connection?.isOpen !== false) ?? [];
    return open.some(({ connection }) => identityOf(connection) !== identityOf(end));
  }

  clear(): void {
    this.#turns.clear();
  }
}
