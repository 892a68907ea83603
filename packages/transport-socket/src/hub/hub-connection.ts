import type { Socket } from 'node:net';
import type { Delivery } from '@tenterhook/bus';
import { serverKey } from '@tenterhook/bus/internal';
import type { Channel } from '@tenterhook/protocol';
import { channelPayloadSchemas, isRequestChannel } from '@tenterhook/protocol/internal';
import { type CheckedLimits, envelopeBytes } from '../limits.js';
import { routeTaken, type SocketErrorCode, type SocketTransportError } from '../socket-error.js';
import { FrameSocket, log } from '../wire/frame-socket.js';
import { LateReport } from '../wire/late-report.js';
import {
  asClientFrame,
  type ClientFrame,
  type HubFrame,
  protocolVersion,
  readClientFrame,
  readHello,
  type ServerHello,
} from '../wire/socket-protocol.js';
import { TurnMarkReader } from '../wire/turn-mark.js';
import type { HubPeer, Publication, Server } from './publication.js';

/** In bytes. The servers of any client that reconnects fit into a hello of this size. */
const helloBytes = 1024 * 1024;
const helloMs = 5000;
/**
 * Limits for one connection, far above what a client needs. Without them, one client could use up the memory of the hub. A turn is
 * a message for a server of the client, and counts until the client acknowledges it.
 */
const mostServers = 4096;
const mostTurns = 65_536;

export interface HubSide {
  readonly limits: CheckedLimits;
  /** The folder of the socket. Undefined if there is none. */
  readonly folder: string | undefined;
  publishFrom(connection: HubConnection, id: number, message: unknown, unsolicited: boolean): void;
  /** Returns false if the route of the server belongs to another process. */
  addServer(server: Server, hasRoute: boolean): boolean;
  removeServer(server: Server): void;
  /** Called when the chosen server has received the message. */
  taken(publication: Publication): void;
  /** Called when the chosen server did not receive the message. */
  passOn(publication: Publication): void;
  forget(connection: HubConnection): void;
}

/**
 * The hub's side of a connection to a client: the client's subscriptions, its servers, and the messages for its servers that it has
 * not acknowledged.
 */
export class HubConnection implements HubPeer {
  readonly ended: Promise<void>;
  readonly #hub: HubSide;
  readonly #link: FrameSocket;
  readonly #name: string;
  readonly #channels = new Set<string>();
  /** The servers by number. A server whose route belongs to another process has the value undefined. */
  readonly #servers = new Map<number, Server | undefined>();
  readonly #turns = new Map<number, Publication>();
  readonly #timer: NodeJS.Timeout;
  /** Reports the position of the client's messages. */
  readonly #placed: LateReport;
  #turnCount = 0;
  #isGreeted = false;
  #identity = '';
  /** Where the client records the turns that it begins. Undefined if it sends a frame before each. */
  #mark: TurnMarkReader | undefined;

  constructor(hub: HubSide, socket: Socket, name: string) {
    this.#hub = hub;
    this.#name = name;
    this.#link = new FrameSocket(socket, {
      name,
      maxFrameBytes: helloBytes,
      maxWaitingBytes: hub.limits.maxWaitingBytes,
      onFrame: (value, isChecked) => this.#receive(isChecked ? asClientFrame(value) : readClientFrame(value)),
      onEnd: () => this.#end(),
    });
    this.#placed = new LateReport((id) => this.#link.sendCompact({ kind: 'placed', id }, ''));
    this.ended = this.#link.ended;
    this.#timer = setTimeout(() => this.#link.cut('it sent no hello'), helloMs).unref();
  }

  get isOpen(): boolean {
    return this.#link.isOpen;
  }

  get identity(): string {
    return this.#identity;
  }

  wants(channel: Channel): boolean {
    return this.#channels.has(channel) && this.#link.isOpen;
  }

  /**
   * Sends a message in one frame. Its receivers are the subscribers of this connection if `isNew` is true, and `server` if it
   * belongs to this connection.
   */
  carry(publication: Publication, isNew: boolean, server: Server | undefined): void {
    const encoded = publication.encode(this.#hub.limits.maxMessageBytes);
    if (server?.connection !== this) this.#link.sendBytes(publication.counts(this) ? encoded.frame : encoded.unsolicitedFrame);
    else {
      const turn = this.#addTurn(publication);
      const frame = { kind: 'message', isNew, turn, server: server.number, placed: this.#placed.take() } as const;
      this.#link.sendCompact(frame, encoded.json);
    }
  }

  /** Reports to the client that the message which it published with this id is next in the order of the hub. */
  placeOwn(publication: Publication, id: number, isNew: boolean, server: Server | undefined, delivery: Delivery | undefined): void {
    const isTurn = server?.connection === this;
    const { type } = publication.message;
    if (!isTurn && !this.#channels.has(type)) {
      if (!isRequestChannel(type)) this.#placed.add(id);
      else if (delivery !== undefined) this.tellOutcome(id, delivery);
      return;
    }
    const turn = isTurn ? { turn: this.#addTurn(publication), server: server.number } : undefined;
    const unsolicited = publication.counts(this) ? undefined : ({ unsolicited: true } as const);
    const frame = { kind: 'own', id, isNew, ...turn, ...unsolicited, ...(delivery === undefined ? undefined : { delivery }) } as const;
    // Without a turn, the client does not wait for it.
    this.#link.sendCompact(frame, '', isTurn ? 'soon' : 'later');
  }

  tellOutcome(id: number, outcome: Delivery | SocketTransportError): void {
    if (typeof outcome === 'string') this.#link.sendCompact({ kind: 'delivered', id, delivery: outcome }, '', 'later');
    else this.#send({ kind: 'rejected', id, code: outcome.code as 'malformed', message: outcome.message });
  }

  turnAway(code: SocketErrorCode, message: string): void {
    log('%s is turned away: %s', this.#name, message);
    this.#send({ kind: 'turned-away', code, message });
    this.#link.end();
  }

  close(): void {
    this.#placed.flush();
    this.#link.end();
  }

  #send(frame: HubFrame): void {
    this.#link.send(frame);
  }

  #addTurn(publication: Publication): number {
    this.#turnCount += 1;
    this.#turns.set(this.#turnCount, publication);
    if (this.#turns.size > mostTurns) this.#link.cut(`it has not acknowledged ${mostTurns} messages`);
    return this.#turnCount;
  }

  #receive(frame: ClientFrame | undefined): boolean {
    if (frame?.kind === 'hello') return !this.#isGreeted && this.#greet(frame);
    if (frame === undefined || !this.#isGreeted) return false;
    switch (frame.kind) {
      case 'subscribe':
        return this.#subscribe(frame.channel);
      case 'unsubscribe':
        this.#channels.delete(frame.channel);
        return true;
      case 'serve':
        return this.#serve(frame);
      case 'unserve':
        return this.#unserve(frame.server);
      case 'publish':
        if (frame.taken !== undefined && !this.#take(frame.taken)) return false;
        this.#hub.publishFrom(this, frame.id, frame.message, frame.unsolicited === true);
        return true;
      case 'flush':
        this.#send({ kind: 'flushed', id: frame.id });
        return true;
      case 'taken':
        return this.#take(frame.turn);
      case 'refused':
        return this.#refuse(frame.turn);
    }
  }

  #greet(hello: ClientFrame & { kind: 'hello' }): boolean {
    clearTimeout(this.#timer);
    if (hello.protocol !== protocolVersion) {
      const versions = `The hub uses version ${protocolVersion} of the socket protocol, and the client uses version ${hello.protocol}.`;
      this.turnAway('version_mismatch', `${versions} Use the same version of @tenterhook/transport-socket on both sides.`);
      return true;
    }
    const said = readHello(hello);
    if (said === undefined) return false;
    this.#isGreeted = true;
    this.#identity = said.identity;
    const { maxMessageBytes } = this.#hub.limits;
    this.#link.setMaxFrameBytes(maxMessageBytes + envelopeBytes);
    // The welcome must be the first frame, and registering a server may send another one.
    this.#mark = TurnMarkReader.open(this.#hub.folder, said.mark);
    const isMarked = this.#mark !== undefined;
    this.#send({ kind: 'welcome', protocol: protocolVersion, maxMessageBytes, isMarked });
    return said.channels.every((channel) => this.#subscribe(channel)) && said.servers.every((server) => this.#serve(server));
  }

  /**
   * Records a subscription. A newer client may have channels that this hub does not know. They are ignored, because no message is
   * sent on them.
   */
  #subscribe(channel: string): boolean {
    if (Object.hasOwn(channelPayloadSchemas, channel)) this.#channels.add(channel);
    return true;
  }

  #serve({ server: number, channel, route }: ServerHello): boolean {
    if (this.#servers.has(number) || this.#servers.size >= mostServers) return false;
    const server = { key: serverKey(channel, route), connection: this, number };
    const isAdded = this.#hub.addServer(server, route !== undefined);
    this.#servers.set(number, isAdded ? server : undefined);
    if (isAdded) return true;
    const { message } = routeTaken(channel, route);
    log('a server of %s is refused: %s', this.#name, message);
    this.#send({ kind: 'server-refused', server: number, message });
    return true;
  }

  #unserve(number: number): boolean {
    const server = this.#servers.get(number);
    if (server !== undefined) this.#hub.removeServer(server);
    return this.#servers.delete(number);
  }

  /** The client has begun all turns up to this one. Returns false if there was no such turn. */
  #take(last: number): boolean {
    if (last > this.#turnCount) return false;
    for (const [turn, publication] of this.#turns) {
      if (turn > last) break;
      this.#turns.delete(turn);
      this.#hub.taken(publication);
    }
    return true;
  }

  #refuse(turn: number): boolean {
    const publication = this.#turns.get(turn);
    if (publication === undefined) return false;
    this.#turns.delete(turn);
    this.#hub.passOn(publication);
    return true;
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#hub.forget(this);
    for (const server of this.#servers.values()) {
      if (server !== undefined) this.#hub.removeServer(server);
    }
    // The frames that report the last turns may have been lost with the client.
    this.#take(Math.min(this.#mark?.close() ?? 0, this.#turnCount));
    for (const publication of this.#turns.values()) this.#hub.passOn(publication);
    this.#turns.clear();
  }
}
