import { randomUUID } from 'node:crypto';
import type { Delivery } from '@tenterhook/bus';
import { RecentMap } from '@tenterhook/bus/internal';
import type { BusMessage } from '@tenterhook/protocol';
import type { KeptRequest, Taker } from '../jobs/kept-request.js';
import { idOf } from '../wire/codec.js';

/** Where a request is: `asking` until a worker has confirmed it, `taken` until it is answered. `over` receives late messages only. */
type AskedState = 'asking' | 'taken' | 'over';

/** A request of this process. */
export interface AskedRequest {
  /**
   * The last token of the subject of its replies. It cannot be guessed. A program that knew it could send a request with this
   * subject, and a worker would send the replies to that request here.
   */
  readonly number: string;
  /** Without its payload as soon as the request is over. */
  message: BusMessage;
  readonly correlationId: string | undefined;
  /** The subject to which the request was sent. */
  readonly subject: string;
  /** Sends the request to the workers, again if a worker declined it. */
  send: () => void;
  readonly resolve: (delivery: Delivery) => void;
  readonly reject: (error: Error) => void;
  state: AskedState;
  isAnswered: boolean;
  declined: number;
  timer: NodeJS.Timeout | undefined;
  /** The worker that took the request, and the token by which the worker knows it. */
  worker: Taker | undefined;
  /** Set if a stream keeps the request. */
  readonly kept: KeptRequest | undefined;
  /** A cancel that waits until a worker has taken the request. */
  cancel: BusMessage | undefined;
}

/** Late messages of so many finished requests are still accepted. */
const leastLate = 4096;

const nothing = () => {};

/** The requests that this process has made. */
export class AskedRequests {
  readonly #open = new Map<string, AskedRequest>();
  readonly #openById = new Map<string, AskedRequest>();
  /** Requests that were answered, cancelled or given up. */
  readonly #late = new RecentMap<string, AskedRequest>(leastLate);

  get size(): number {
    return this.#open.size;
  }

  add({
    message,
    subject,
    send,
    resolve,
    reject,
    kept,
  }: Pick<AskedRequest, 'message' | 'subject' | 'send' | 'resolve' | 'reject' | 'kept'>): AskedRequest {
    // Without a spread: on Node 20, each field after a spread takes a microsecond.
    const asked: AskedRequest = {
      number: randomUUID(),
      message,
      correlationId: idOf(message),
      subject,
      send,
      resolve,
      reject,
      state: 'asking',
      isAnswered: false,
      declined: 0,
      timer: undefined,
      worker: undefined,
      kept,
      cancel: undefined,
    };
    this.#open.set(asked.number, asked);
    if (asked.correlationId !== undefined) this.#openById.set(asked.correlationId, asked);
    return asked;
  }

  /** Returns a request, open or finished, by the last token of the subject of its replies. */
  find(number: string): AskedRequest | undefined {
    return this.#open.get(number) ?? this.#late.get(number);
  }

  /** Returns an open request. */
  findById(correlationId: string | undefined): AskedRequest | undefined {
    return correlationId === undefined ? undefined : this.#openById.get(correlationId);
  }

  open(): AskedRequest[] {
    return [...this.#open.values()];
  }

  /** A worker has received the request. */
  take(asked: AskedRequest, worker: Taker): void {
    // The timer of a kept request lasts until its answer, because its worker may end.
    if (asked.kept === undefined) clearTimeout(asked.timer);
    asked.state = 'taken';
    asked.worker = worker;
    // The encoded message is not needed any more.
    asked.send = nothing;
    asked.resolve('served');
  }

  /** Forgets a request that no worker has received. */
  remove(asked: AskedRequest): void {
    clearTimeout(asked.timer);
    this.#open.delete(asked.number);
    this.#late.delete(asked.number);
    this.#removeId(asked);
    asked.state = 'over';
  }

  /** Keeps a request only for late messages. */
  finish(asked: AskedRequest): void {
    clearTimeout(asked.timer);
    if (!this.#open.delete(asked.number)) return;
    this.#removeId(asked);
    asked.state = 'over';
    // Late messages need only the channel. Thousands of payloads would be kept otherwise.
    asked.message = { type: asked.message.type, payload: undefined } as unknown as BusMessage;
    asked.send = nothing;
    this.#late.set(asked.number, asked);
  }

  #removeId({ correlationId, number }: AskedRequest): void {
    if (correlationId !== undefined && this.#openById.get(correlationId)?.number === number) this.#openById.delete(correlationId);
  }
}
