import { type ConnectionState, type Delivery, parseMessage, type Transport, type TransportListener } from '@tenterhook/bus';
import { isResponseChannel, isUnsolicited, markUnsolicited } from '@tenterhook/bus/internal';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { guarded } from '@tenterhook/runtime/log';
import { type CheckedLimits, envelopeBytes } from '../limits.js';
import { disconnected, disposed, SocketTransportError } from '../socket-error.js';
import { EncodedMessage } from '../wire/encoded-message.js';
import { type FrameSocket, log } from '../wire/frame-socket.js';
import { LateReport } from '../wire/late-report.js';
import type { ClientFrame, HubFrame, Welcome } from '../wire/socket-protocol.js';
import { TurnMark } from '../wire/turn-mark.js';
import { ClientListeners } from './client-listeners.js';
import { openLink, RetryTimer } from './open-link.js';
import { PublishedMessages } from './published-messages.js';

/** A flush that the hub has not answered. */
interface Flush {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A client of the hub. It reports its subscribers and servers to the hub, and reconnects after a loss of the connection. */
export class SocketClient implements Transport {
  readonly name = 'socket';
  readonly #path: string;
  readonly #limits: CheckedLimits;
  readonly #listeners: ClientListeners;
  readonly #stateListeners = new Set<(state: ConnectionState) => void>();
  readonly #closed = new AbortController();
  readonly #retry = new RetryTimer(() => !this.#listeners.isEmpty);
  readonly #published = new PublishedMessages();
  #flushes = new Map<number, Flush>();
  /**
   * The connection. Set once the hello is sent: the hello lists all subscribers and servers, and later changes need frames of their
   * own.
   */
  #link: FrameSocket | undefined;
  #isWelcome = false;
  /** Reports the turns that have begun. */
  readonly #taken = new LateReport((turn) => this.#link?.sendCompact({ kind: 'taken', turn }, ''));
  /** Where the turns that begin are recorded. Undefined if the hub does not read it. */
  #mark: TurnMark | undefined;
  #isLost = false;
  #maxMessageBytes: number;
  #count = 0;
  #closing: Promise<void> | undefined;

  constructor(path: string, limits: CheckedLimits) {
    this.#path = path;
    this.#limits = limits;
    this.#maxMessageBytes = limits.maxMessageBytes;
    this.#listeners = new ClientListeners((frame) => this.#tellHub(frame));
  }

  async open(signal: AbortSignal): Promise<void> {
    const { maxMessageBytes, maxWaitingBytes } = this.#limits;
    const limits = { maxFrameBytes: maxMessageBytes + envelopeBytes, maxWaitingBytes };
    const events = {
      onConnect: (link: FrameSocket, folder: string | undefined) => this.#sayHello(link, folder),
      onWelcome: (welcome: Welcome) => this.#begin(welcome),
      onFrame: (frame: HubFrame) => this.#receive(frame),
      onEnd: () => this.#lose(),
    };
    try {
      await openLink(this.#path, limits, events, signal);
    } catch (error) {
      this.#link = undefined;
      this.#removeMark();
      throw error;
    }
  }

  publish(message: BusMessage): Delivery | Promise<Delivery> {
    if (this.#closing !== undefined) return Promise.reject(disposed());
    const link = this.#link;
    if (link === undefined || !this.#isWelcome) return Promise.reject(disconnected(this.#path));
    this.#count += 1;
    const id = this.#count;
    let json: string;
    try {
      json = new EncodedMessage(message, this.#maxMessageBytes).json;
    } catch (error) {
      return Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      this.#published.add(id, { message, resolve, reject });
      const frame = { kind: 'publish', id, taken: this.#taken.take() } as const;
      // If the link has just ended, this has no effect, and `onEnd` rejects the promise.
      link.sendCompact(isUnsolicited(message) ? { ...frame, unsolicited: true } : frame, json);
    });
  }

  /** The hub reads frames in order, so its answer shows that it has read all earlier frames. */
  flush(): Promise<void> {
    if (this.#closing !== undefined) return Promise.reject(disposed());
    const link = this.#link;
    if (link === undefined || !this.#isWelcome) return Promise.reject(disconnected(this.#path));
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#flushes.set(id, { resolve, reject });
      link.send({ kind: 'flush', id });
    });
  }

  subscribe(channel: Channel, listener: TransportListener): () => void {
    return this.#listeners.subscribe(channel, listener);
  }

  isSubscribed(channel: Channel): boolean {
    return this.#listeners.isSubscribed(channel);
  }

  serve(channel: Channel, listener: TransportListener, route?: string): () => void {
    return this.#listeners.serve(channel, listener, route);
  }

  onConnectionChange(listener: (state: ConnectionState) => void): () => void {
    const safe = guarded(listener, 'a listener of the connection');
    if (this.#closing === undefined) this.#stateListeners.add(safe);
    return () => {
      this.#stateListeners.delete(safe);
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #shutDown(): Promise<void> {
    const link = this.#link;
    this.#link = undefined;
    this.#stateListeners.clear();
    this.#retry.stop();
    // Ends an attempt to connect. An open connection may still write its last frames.
    this.#closed.abort();
    link?.end();
    this.#removeMark();
    this.#rejectPending(disposed());
    await Promise.all([this.#listeners.close(), link?.ended]);
  }

  #tellHub(frame: ClientFrame): void {
    this.#retry.update();
    this.#link?.send(frame);
  }

  #sayHello(link: FrameSocket, folder: string | undefined): void {
    if (this.#closing !== undefined) return;
    this.#link = link;
    this.#mark = TurnMark.create(folder);
    this.#taken.take();
    link.send(this.#listeners.hello(this.#mark?.name));
  }

  #begin({ maxMessageBytes, isMarked }: Welcome): void {
    if (this.#closing !== undefined) return;
    this.#isWelcome = true;
    if (isMarked !== true) this.#removeMark();
    this.#maxMessageBytes = Math.min(this.#limits.maxMessageBytes, maxMessageBytes);
    if (this.#isLost) this.#tell('restored');
    this.#isLost = false;
  }

  #lose(): void {
    this.#link = undefined;
    this.#isWelcome = false;
    this.#removeMark();
    if (this.#closing !== undefined) return;
    this.#isLost = true;
    // The connection listeners are called first: the bus then settles its requests with a better message than the rejection of
    // publish().
    this.#tell('lost');
    this.#rejectPending(disconnected(this.#path));
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      await this.#retry.wait(attempt);
      if (this.#closing !== undefined) return;
      try {
        await this.open(this.#closed.signal);
        return;
      } catch (error) {
        log('no connection to %s: %O', this.#path, error);
      }
    }
  }

  #receive(frame: HubFrame): boolean {
    switch (frame.kind) {
      case 'message': {
        if (frame.placed !== undefined) this.#published.place(frame.placed);
        const message = readMessage(frame.message);
        if (message !== undefined && frame.unsolicited) markUnsolicited(message);
        if (message !== undefined && frame.isNew) this.#listeners.deliver(message);
        this.#takeTurn(frame, message);
        return true;
      }
      case 'own': {
        const pending = this.#published.find(frame.id);
        if (pending === undefined) return false;
        const { message, resolve } = pending;
        // A subscriber may have left meanwhile. Marking the message would then be for nothing.
        if (this.#listeners.isSubscribed(message.type)) {
          if (frame.unsolicited) markUnsolicited(message);
          if (frame.isNew) this.#listeners.deliver(message);
        }
        // A message that a server in this process received counts as served. The hub's report on its delivery may never come, and
        // is not needed.
        if (this.#takeTurn(frame, message)) resolve('served');
        if (frame.delivery !== undefined) this.#published.take(frame.id)?.resolve(frame.delivery);
        return true;
      }
      case 'delivered':
        // A message other than a request is unknown here if a later one was placed first, because placing settles all before it.
        this.#published.take(frame.id)?.resolve(frame.delivery);
        return true;
      case 'placed':
        this.#published.place(frame.id);
        return true;
      case 'flushed': {
        const flush = this.#flushes.get(frame.id);
        this.#flushes.delete(frame.id);
        flush?.resolve();
        return flush !== undefined;
      }
      case 'server-refused':
        log('the hub at %s refused a server: %s', this.#path, frame.message);
        return true;
      case 'rejected': {
        const pending = this.#published.take(frame.id);
        pending?.reject(new SocketTransportError(frame.code, 'The hub refused the message:', frame.message));
        return pending !== undefined;
      }
      default:
        return false;
    }
  }

  /**
   * Accepts or refuses a turn, and calls the listener of the server. A turn is a message for one server of this client. The hub is
   * answered before the call, so that messages of the listener arrive after the answer. @returns whether the listener was called.
   */
  #takeTurn({ turn, server }: { readonly turn?: number; readonly server?: number }, message: BusMessage | undefined): boolean {
    // A subscriber may have closed the transport and with it the connection. The hub then asks the next server.
    if (turn === undefined || this.#link === undefined) return false;
    const listener = message === undefined ? undefined : this.#listeners.server(server);
    // Recorded or written at once. The message may crash this process, and otherwise the hub would pass it to the next server and crash
    // that too.
    if (listener === undefined) {
      this.#link.send({ kind: 'refused', turn }, 'now');
      // The mark says that all turns up to a number have begun. If the refusal were lost, a later mark would count this turn, too.
      this.#removeMark();
    } else if (this.#mark?.write(turn) === true) this.#taken.add(turn);
    else this.#link.sendCompact({ kind: 'taken', turn }, '', 'now');
    listener?.(message as BusMessage);
    return listener !== undefined;
  }

  #removeMark(): void {
    this.#mark?.close();
    this.#mark = undefined;
  }

  #rejectPending(error: Error): void {
    const pending = [...this.#published.takeAll(), ...this.#flushes.values()];
    this.#flushes = new Map();
    for (const { reject } of pending) reject(error);
  }

  #tell(state: ConnectionState): void {
    for (const listener of [...this.#stateListeners]) {
      if (this.#stateListeners.has(listener)) listener(state);
    }
  }
}

/**
 * Reads a message from the hub. An invalid message is logged, and the result is undefined. An invalid response becomes an error
 * response, because a requester in this process may wait for it.
 */
function readMessage(value: unknown): BusMessage | undefined {
  const message = parseMessage(value);
  if (!('problem' in message)) return message;
  log('a malformed message: %s', message.problem);
  if (!isPlainObject(value) || !isResponseChannel(value['type'] as Channel) || !isPlainObject(value['payload'])) return undefined;
  const { correlationId } = value['payload'];
  const error = { code: 'internal_error', message: `The response was malformed: ${message.problem}.` };
  const instead = parseMessage({ type: value['type'], payload: { correlationId, success: false, error } });
  return 'problem' in instead ? undefined : instead;
}
