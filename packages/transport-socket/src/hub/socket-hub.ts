import type { Server as NetServer, Socket } from 'node:net';
import { type Delivery, MemoryTransport, parseMessage, type Transport, type TransportListener } from '@tenterhook/bus';
import { markUnsolicited, serverKey } from '@tenterhook/bus/internal';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { guarded } from '@tenterhook/runtime/log';
import { describeValue } from '@tenterhook/runtime/text';
import type { CheckedLimits } from '../limits.js';
import { disposed, refused, routeTaken, SocketTransportError } from '../socket-error.js';
import { log } from '../wire/frame-socket.js';
import { HubConnection, type HubSide } from './hub-connection.js';
import { type HubPeer, Publication, type Server, ServerTable } from './publication.js';
import { RequestLedger } from './request-ledger.js';

/**
 * The hub, to which all clients connect. It puts all published messages into one order. It delivers them to the listeners of this
 * process and to the connections that subscribe. A message that is published during a delivery is delivered afterwards. A request,
 * cancel or answer that its publisher may not send is refused and reaches no listener.
 */
export class SocketHub implements Transport, HubSide {
  readonly name = 'socket';
  readonly limits: CheckedLimits;
  readonly folder: string | undefined;
  readonly #maxConnections: number;
  readonly #server: NetServer;
  readonly #removeFile: () => void;
  /** The subscribers in this process. */
  readonly #here = new MemoryTransport();
  readonly #servers = new ServerTable();
  readonly #ledger = new RequestLedger();
  readonly #connections = new Set<HubConnection>();
  /** Messages of this process whose delivery is not known yet. */
  readonly #undecided = new Set<Publication>();
  #queue: (() => void)[] = [];
  #isDelivering = false;
  #closing: Promise<void> | undefined;
  #connectionCount = 0;

  /** `folder`: where the socket is. Undefined for a named pipe. */
  constructor(server: NetServer, folder: string | undefined, removeFile: () => void, limits: CheckedLimits, maxConnections: number) {
    this.#server = server;
    this.folder = folder;
    this.#removeFile = removeFile;
    this.limits = limits;
    this.#maxConnections = maxConnections;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    // After an error such as too many open files, only the new connection is lost. The hub continues.
    server.on('error', (error) => log('the hub: %O', error));
  }

  publish(message: BusMessage): Delivery | Promise<Delivery> {
    if (this.#closing !== undefined) return Promise.reject(disposed());
    const publication = new Publication(message);
    this.#deliverInTurn(publication);
    if (!publication.isSettled) {
      // A listener may have closed the hub during the delivery.
      if (this.#isClosing) publication.settle(disposed());
      else this.#undecided.add(publication);
    }
    return publication.delivery();
  }

  subscribe(channel: Channel, listener: TransportListener): () => void {
    return this.#here.subscribe(channel, listener);
  }

  isSubscribed(channel: Channel): boolean {
    return this.#here.isSubscribed(channel) || this.#isWanted(channel, undefined);
  }

  serve(channel: Channel, listener: TransportListener, route?: string): () => void {
    const server: Server = { key: serverKey(channel, route), listener: guarded(listener, `a server of ${channel}`) };
    if (this.#closing === undefined && !this.#servers.add(server, route !== undefined)) throw routeTaken(channel, route);
    return () => this.#servers.remove(server);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  publishFrom(connection: HubConnection, id: number, value: unknown, unsolicited: boolean): void {
    const message = parseMessage(value);
    if ('problem' in message) {
      const error = new SocketTransportError(
        'malformed',
        `The message is malformed: ${message.problem}.`,
        'See the schema of the messages.',
      );
      connection.tellOutcome(id, error);
      return;
    }
    if (unsolicited) markUnsolicited(message);
    this.#deliverInTurn(new Publication(message, { connection, id }));
  }

  addServer(server: Server, hasRoute: boolean): boolean {
    return this.#servers.add(server, hasRoute);
  }

  removeServer(server: Server): void {
    this.#servers.remove(server);
  }

  taken(publication: Publication): void {
    this.#settle(publication, 'served');
  }

  passOn(publication: Publication): void {
    this.#inTurn(() => this.#serveAgain(publication));
  }

  forget(connection: HubConnection): void {
    this.#connections.delete(connection);
    // The process does not wait for the answers any more. Without a cancel, the hooks of its requests would run to their ends.
    for (const correlationId of this.#ledger.waitingOf(connection)) {
      const payload = { correlationId, reason: 'the connection of the requester has ended' };
      this.#deliverInTurn(new Publication({ type: 'HOOK_EXECUTION_CANCEL', payload }, { connection, id: 0 }));
    }
    this.#inTurn(() => this.#ledger.forget(connection));
  }

  #accept(socket: Socket): void {
    if (this.#closing !== undefined) {
      socket.destroy();
      return;
    }
    this.#connectionCount += 1;
    const connection = new HubConnection(this, socket, `connection ${this.#connectionCount}`);
    // A refused connection counts too. It receives one frame and ends soon.
    this.#connections.add(connection);
    if (this.#connections.size <= this.#maxConnections) return;
    const message = `The limit of ${this.#maxConnections} connections to the hub is reached. Close some, or raise maxConnections.`;
    connection.turnAway('too_many_connections', message);
  }

  get #isClosing(): boolean {
    return this.#closing !== undefined;
  }

  #deliverInTurn(publication: Publication): void {
    if (this.#isDelivering) {
      this.#queue.push(() => this.#deliver(publication));
      return;
    }
    this.#isDelivering = true;
    this.#deliver(publication);
    this.#endTurn();
  }

  #inTurn(step: () => void): void {
    this.#queue.push(step);
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    this.#endTurn();
  }

  /** Carries out what was asked for during a delivery. */
  #endTurn(): void {
    // `shift()` was rejected: a long queue would take quadratic time.
    for (let next = 0; next < this.#queue.length; next += 1) this.#queue[next]?.();
    if (this.#queue.length > 0) this.#queue = [];
    this.#isDelivering = false;
  }

  #deliver(publication: Publication): void {
    const { message, publisher } = publication;
    const origin = publisher?.connection;
    if (this.#closing !== undefined) this.#settle(publication, disposed());
    if (publication.isSettled || this.#isRefused(publication) || !this.#canTravel(publication)) return;
    this.#ledger.pass(publication);
    if (!publication.counts(undefined)) markUnsolicited(message);
    // The subscribers of this process are called before the server is chosen, because one of them may remove the server.
    this.#here.publish(message);
    const server = this.#choose(publication);
    const delivery = server === undefined ? 'unserved' : server.connection === undefined ? 'served' : undefined;
    for (const connection of this.#connections) {
      if (connection === origin) continue;
      const isNew = connection.wants(message.type);
      if (isNew || server?.connection === connection) connection.carry(publication, isNew, server);
    }
    if (publisher !== undefined) {
      publisher.connection.placeOwn(publication, publisher.id, true, server, delivery);
      if (delivery !== undefined) publication.settleQuietly(delivery);
    } else if (delivery !== undefined) this.#settle(publication, delivery);
    if (server !== undefined && server.connection === undefined) server.listener(message);
  }

  /**
   * Chooses another server after the previous one left without receiving the message. The subscribers do not receive the message
   * again.
   */
  #serveAgain(publication: Publication): void {
    const { message, publisher } = publication;
    if (this.#closing !== undefined || publication.isSettled) return;
    // The request is cancelled already, and the next server would not receive the cancel.
    const server = publisher?.connection.isOpen === false ? undefined : this.#choose(publication);
    if (server === undefined) this.#settle(publication, 'unserved');
    else if (server.connection === undefined) {
      this.#settle(publication, 'served');
      server.listener(message);
    } else if (server.connection === publisher?.connection) {
      publisher.connection.placeOwn(publication, publisher.id, false, server, undefined);
    } else if (this.#isEncodable(publication)) server.connection.carry(publication, false, server);
  }

  #choose(publication: Publication): Server | undefined {
    const server = this.#servers.next(publication.key, publication.tried);
    if (server !== undefined) publication.tried = [...publication.tried, server];
    this.#ledger.assign(publication, server);
    return server;
  }

  /**
   * Tests whether the message is refused. Called at its delivery, not earlier, because it may answer or cancel a request that was
   * published just before.
   */
  #isRefused(publication: Publication): boolean {
    const refusal = this.#findForeignEngine(publication) ?? this.#ledger.judge(publication);
    if (refusal === undefined) return false;
    log('a message of %s is refused: %s', publication.message.type, refusal.message);
    this.#settle(publication, refusal);
    return true;
  }

  /**
   * Refuses an announcement of a handler engine if another process answers the calls of this engine. Otherwise any program could
   * announce that the engine has left, and so remove its guards.
   */
  #findForeignEngine({ message, publisher }: Publication): SocketTransportError | undefined {
    if (message.type !== 'HOOK_HANDLER_ANNOUNCE') return undefined;
    const { engineId } = message.payload;
    const isForeign = this.#servers.isOfAnother(serverKey('HOOK_HANDLER_CALL', engineId), publisher?.connection);
    return isForeign ? refused(`Another process on the bus answers the calls of the engine ${describeValue(engineId)}.`) : undefined;
  }

  /**
   * Tests whether the message can be sent. Called before the first delivery: a message that cannot reach all its receivers must
   * reach none. A message that stays in this process need not be JSON.
   */
  #canTravel(publication: Publication): boolean {
    const { message, key, publisher } = publication;
    const origin = publisher?.connection;
    const isWanted = this.#isWanted(message.type, origin);
    return (!isWanted && !this.#servers.isElsewhere(key, origin)) || this.#isEncodable(publication);
  }

  /** Whether a connection other than `origin` subscribes to the channel. Called for each message, so no list is built. */
  #isWanted(channel: Channel, origin: HubPeer | undefined): boolean {
    for (const connection of this.#connections) if (connection !== origin && connection.wants(channel)) return true;
    return false;
  }

  #isEncodable(publication: Publication): boolean {
    try {
      publication.encode(this.limits.maxMessageBytes);
      return true;
    } catch (error) {
      // The requester itself answers a request that cannot be sent.
      this.#ledger.assign(publication, undefined);
      this.#settle(publication, error as SocketTransportError);
      return false;
    }
  }

  #settle(publication: Publication, outcome: Delivery | SocketTransportError): void {
    this.#undecided.delete(publication);
    publication.settle(outcome);
  }

  async #shutDown(): Promise<void> {
    const stopped = new Promise((resolve) => this.#server.close(resolve));
    this.#removeFile();
    this.#servers.clear();
    const connections = [...this.#connections];
    for (const connection of connections) connection.close();
    for (const publication of this.#undecided) publication.settle(disposed());
    this.#undecided.clear();
    await Promise.all([this.#here.close(), stopped, ...connections.map(({ ended }) => ended)]);
  }
}
