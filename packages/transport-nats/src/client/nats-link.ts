import { createLog, guarded } from '@tenterhook/runtime/log';
import { type CheckedLimits, headerBytes } from '../limits.js';
import { disconnected, disposed } from '../nats-error.js';
import type { MessageLimit } from '../wire/codec.js';
import { encodedHeadersOf, type Msg, type MsgHdrs, type NatsConnection, type NatsLibrary, type Subscription } from './nats-library.js';

export const log = createLog('nats');

/** What the link reports. */
export interface LinkEvents {
  readonly onLost: () => void;
  /** Called before `onRestored`, when the connection is back. What it sends is confirmed before `onRestored` is called. */
  readonly onReconnect: () => void;
  readonly onRestored: () => void;
  /** The credentials do not permit this operation. */
  readonly onDenied: (operation: string, subject: string, error: Error) => void;
}

interface Confirmation {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds that close() waits for the server to confirm what was sent. */
const closeMs = 2000;

/**
 * After so many bytes the server is asked to confirm, also if no sender waits for it. Asking for each message was rejected: it would be a
 * further message in both directions.
 */
const mostUnconfirmedBytes = 64 * 1024;

/** Milliseconds during which confirmations that are not urgent are collected. */
const soonMs = 5;

/** The connection to the server: sends bytes, and knows which of them the server has confirmed. */
export class NatsLink {
  readonly #connection: NatsConnection;
  readonly #library: NatsLibrary;
  readonly #headers: ReturnType<typeof encodedHeadersOf>;
  readonly #limits: CheckedLimits;
  readonly #onConnected: () => void;
  readonly #confirmations = new Set<Confirmation>();
  #next: Confirmation | undefined;
  #soon: { readonly confirmation: Confirmation; readonly timer: NodeJS.Timeout } | undefined;
  #waitingBytes = 0;
  #unconfirmedBytes = 0;
  #state: 'open' | 'lost' | 'closing' | 'closed' = 'open';
  #events: LinkEvents | undefined;

  /** `onConnected` is called after each reconnection. */
  constructor(connection: NatsConnection, library: NatsLibrary, limits: CheckedLimits, onConnected: () => void) {
    this.#connection = connection;
    this.#library = library;
    this.#headers = encodedHeadersOf(library);
    this.#limits = limits;
    this.#onConnected = onConnected;
  }

  /** For libraries that need the connection itself. */
  get connection(): NatsConnection {
    return this.#connection;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get #isLost(): boolean {
    return this.#state === 'lost';
  }

  get #isEnding(): boolean {
    return this.#state === 'closing' || this.#state === 'closed';
  }

  /** The number of bytes that the server has not confirmed. Up to 64 KiB of them, or a quarter of the limit, may have arrived. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get limit(): MessageLimit {
    const maxPayload = this.#connection.info?.max_payload ?? 1024 * 1024;
    const room = Math.max(maxPayload - headerBytes, Math.floor(maxPayload / 2));
    return { maxPayload, maxMessageBytes: Math.min(this.#limits.maxMessageBytes, room) };
  }

  watch(events: LinkEvents): void {
    this.#events = events;
    void this.#follow();
  }

  /** Sends a message. Never throws: if the connection is lost, `confirm()` rejects. */
  send(subject: string, data: Uint8Array, headers?: MsgHdrs, reply?: string): void {
    if (this.#state === 'closed') return;
    const options: { headers?: MsgHdrs; reply?: string } = {};
    if (headers !== undefined) options.headers = headers;
    if (reply !== undefined) options.reply = reply;
    try {
      this.#connection.publish(subject, data, options);
      this.#unconfirmedBytes += data.length;
      this.#waitingBytes += data.length;
      // Otherwise the bytes of messages whose sender does not wait for a confirmation would count forever.
      const isDue = this.#unconfirmedBytes >= Math.min(mostUnconfirmedBytes, this.#limits.maxWaitingBytes / 4);
      if (isDue && this.#state === 'open') this.#next ??= this.#startConfirmation();
    } catch (error) {
      log('a message to %s was not sent: %O', subject, error);
    }
  }

  /** Sends a message and resolves to its reply. Rejects with an error of the library. */
  request(subject: string, data: Uint8Array, headers: readonly (readonly [string, string])[], timeoutMs: number): Promise<Msg> {
    const given = headers.length === 0 ? {} : { headers: this.headersOf(headers) };
    return this.#connection.request(subject, data, { timeout: timeoutMs, ...given });
  }

  /** Returns the headers of one or several messages. */
  headersOf(pairs: readonly (readonly [string, string])[]): MsgHdrs {
    return new this.#headers(pairs);
  }

  /** Whether an error of `request()` says that there is no receiver. */
  isUnserved(error: unknown): boolean {
    return error instanceof this.#library.RequestError && error.isNoResponders();
  }

  /**
   * Resolves when the server has received everything that was sent before. Rejects with `disconnected` or `disposed`. All calls of one
   * turn share one round trip.
   */
  confirm(): Promise<void> {
    if (this.#state !== 'open') return Promise.reject(this.#isLost ? disconnected() : disposed());
    this.#next ??= this.#startConfirmation();
    return this.#next.promise;
  }

  /** Like `confirm()`, within a few milliseconds. Many senders share one round trip. */
  confirmSoon(): Promise<void> {
    if (this.#state !== 'open') return this.confirm();
    this.#soon ??= {
      confirmation: createConfirmation(),
      timer: setTimeout(() => {
        const { resolve, reject } = (this.#soon as { confirmation: Confirmation }).confirmation;
        this.#soon = undefined;
        this.confirm().then(resolve, reject);
      }, soonMs),
    };
    return this.#soon.confirmation.promise;
  }

  /** Calls the listener with each message of the subject. The returned function ends this; messages on their way still arrive. */
  subscribe(subject: string, listener: (message: Msg) => void, queue?: string): () => void {
    // The library would stop reading from the connection if a callback threw.
    const safe = guarded(listener, `a listener of ${subject}`);
    const callback = (error: Error | null, message: Msg) => {
      if (error === null) safe(message);
    };
    let subscription: Subscription;
    try {
      subscription = this.#connection.subscribe(subject, queue === undefined ? { callback } : { callback, queue });
    } catch (error) {
      log('no subscription to %s: %O', subject, error);
      return () => {};
    }
    return () => {
      if (this.#state === 'open' && !subscription.isClosed()) subscription.drain().catch(() => {});
      else if (!subscription.isClosed()) subscription.unsubscribe();
    };
  }

  /** Waits until the server has received everything, and closes the connection. */
  async close(): Promise<void> {
    const wasOpen = this.#state === 'open';
    this.#state = 'closing';
    this.#rejectAll(disposed());
    if (wasOpen) {
      // The first round trip shows that no more requests come. The second one sends what was said about the last of them.
      await this.#roundTrip();
      await this.#roundTrip();
    }
    this.#state = 'closed';
    await this.#connection.close();
  }

  async #roundTrip(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeMs);
    });
    await Promise.race([this.#connection.flush().catch(() => {}), tooLate]);
    clearTimeout(timer);
  }

  #startConfirmation(): Confirmation {
    const confirmation = createConfirmation();
    const { resolve, reject } = confirmation;
    this.#confirmations.add(confirmation);
    queueMicrotask(() => {
      this.#next = undefined;
      const bytes = this.#unconfirmedBytes;
      this.#unconfirmedBytes = 0;
      const settle = (error?: Error) => {
        this.#waitingBytes -= bytes;
        if (!this.#confirmations.delete(confirmation)) return;
        if (error === undefined) resolve();
        else reject(error);
      };
      this.#connection.flush().then(
        () => settle(),
        () => settle(this.#isEnding ? disposed() : disconnected()),
      );
    });
    return confirmation;
  }

  #rejectAll(error: Error): void {
    const rejected = [...this.#confirmations];
    this.#confirmations.clear();
    this.#next = undefined;
    if (this.#soon !== undefined) rejected.push(this.#soon.confirmation);
    clearTimeout(this.#soon?.timer);
    this.#soon = undefined;
    for (const { reject } of rejected) reject(error);
  }

  async #follow(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (this.#isEnding) return;
      switch (status.type) {
        case 'disconnect':
          this.#lose();
          break;
        case 'reconnect':
          this.#onConnected();
          void this.#restore();
          break;
        case 'error':
          this.#report(status.error);
          break;
        case 'close':
          // The library gives up only after an error that another attempt would not change.
          this.#lose();
          break;
      }
    }
  }

  #lose(): void {
    if (this.#state !== 'open') return;
    this.#state = 'lost';
    // The listeners are called first: the bus then settles its requests with a better message than a rejection.
    this.#events?.onLost();
    this.#rejectAll(disconnected());
  }

  async #restore(): Promise<void> {
    try {
      this.#events?.onReconnect();
      await this.#connection.flush();
    } catch {
      // The connection was lost again.
      return;
    }
    if (this.#state !== 'lost') return;
    this.#state = 'open';
    this.#events?.onRestored();
  }

  #report(error: Error): void {
    if (!(error instanceof this.#library.PermissionViolationError)) {
      log('the NATS server reports: %O', error);
      return;
    }
    const operation = error.operation === 'publish' ? 'publish to' : 'subscribe to';
    this.#events?.onDenied(operation, error.subject, error);
  }
}

function createConfirmation(): Confirmation {
  let resolve = () => {};
  let reject = (_error: Error) => {};
  const promise = new Promise<void>((onResolved, onRejected) => {
    resolve = onResolved;
    reject = onRejected;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
