import type { BusMessage, Channel, ErrorCode, RequestChannel } from '@tenterhook/protocol';
import { nanoid } from 'nanoid';
import { MemoryTransport } from '../memory-transport.js';
import type { Transport } from '../transport.js';
import type { AnyResponse } from './responses.js';

/** One request: its requester and its responder, as far as they are in this process. */
interface Entry {
  waiter: Waiter | undefined;
  running: RunningRequest | undefined;
}

/** A requester that waits for a response. */
export interface Waiter {
  /** The `PendingRequests` that has to release it. */
  readonly owner: object;
  readonly channel: RequestChannel;
  readonly responseChannel: Channel;
  /** The payload as published. The object identity distinguishes two requests with the same id. */
  readonly payload: object;
  /** Called once, with the response or the failure that replaces it. */
  readonly settle: (response: AnyResponse) => void;
  readonly onProgress: ((message: BusMessage) => void) | undefined;
  correlationId: string;
  timer: NodeJS.Timeout | undefined;
  stopListening: (() => void) | undefined;
  /** Why the requester has stopped waiting. Set during the grace period, in which the response may still bring details. */
  ending: { readonly code: ErrorCode; readonly message: string } | undefined;
}

/** A request that a responder works on. */
export interface RunningRequest {
  readonly owner: object;
  readonly channel: RequestChannel;
  readonly correlationId: string;
  readonly payload: unknown;
  abort(reason: string): void;
}

/**
 * Entries that are never removed. V8 shrinks a map that loses its last entry and grows it again for the next one. With one request in
 * flight that would happen for each request, and cost a fifth of it. The keys are numbers, so none equals a correlation id.
 */
const prefill: (readonly [number, Entry])[] = Array.from({ length: 32 }, (_, key) => [key, { waiter: undefined, running: undefined }]);

const tables = new WeakMap<Transport, RequestTable>();

/**
 * All requests in flight by correlation id. There is one map, however many requests there are (field failure 81). It is shared by
 * requesters and responders: the map is the most expensive part of a request, and two maps would cost a quarter more.
 *
 * All buses of a transport in this process share one table, because for their users they are one bus: an id that is in use on one bus is in
 * use on all. A process does not know the ids of other processes. There, the random part of generated ids makes them unique.
 */
export class RequestTable {
  readonly #entries = new Map<string | number, Entry>(prefill);

  /**
   * Generates an id that no other table generates, in this process or another.
   *
   * In memory, the random part is drawn once per table, and each id adds a counter (50 ns): a random part for each request would cost more
   * than the rest of the request path. On other transports each id is random, so that no other process can use it before its request.
   */
  readonly nextId: () => string;

  private constructor(transport: Transport) {
    if (!(transport instanceof MemoryTransport)) {
      this.nextId = () => nanoid();
      return;
    }
    const prefix = `${nanoid()}-`;
    let count = 0;
    this.nextId = () => {
      count += 1;
      return prefix + count;
    };
  }

  static on(transport: Transport): RequestTable {
    let table = tables.get(transport);
    if (table === undefined) {
      table = new RequestTable(transport);
      tables.set(transport, table);
    }
    return table;
  }

  has(correlationId: string): boolean {
    return this.#entries.has(correlationId);
  }

  waiter(correlationId: unknown): Waiter | undefined {
    return this.#entries.get(correlationId as string)?.waiter;
  }

  /**
   * The waiter for a response that was received. Undefined if a responder in this process works on the request: then only that responder
   * answers it.
   */
  waiterForAnswer(correlationId: unknown): Waiter | undefined {
    const entry = this.#entries.get(correlationId as string);
    return entry?.running === undefined ? entry?.waiter : undefined;
  }

  running(correlationId: unknown): RunningRequest | undefined {
    return this.#entries.get(correlationId as string)?.running;
  }

  /** The waiter for the response to this payload object. Undefined if its id belongs to another request, or if there is no waiter. */
  findWaiter(payload: unknown): Waiter | undefined {
    const waiter = this.waiter((payload as { correlationId?: unknown } | undefined | null)?.correlationId);
    return waiter?.payload === payload ? waiter : undefined;
  }

  /**
   * The waiter of a payload that is being refused. Undefined for a payload that runs already and was published again: its waiter continues
   * to wait.
   */
  findRefusedWaiter(payload: unknown): Waiter | undefined {
    const waiter = this.findWaiter(payload);
    return waiter !== undefined && this.running(waiter.correlationId)?.payload !== payload ? waiter : undefined;
  }

  addWaiter(waiter: Waiter): void {
    const entry = this.#entries.get(waiter.correlationId);
    if (entry === undefined) this.#entries.set(waiter.correlationId, { waiter, running: undefined });
    else entry.waiter = waiter;
  }

  addRunning(running: RunningRequest): void {
    const entry = this.#entries.get(running.correlationId);
    if (entry === undefined) this.#entries.set(running.correlationId, { waiter: undefined, running });
    else entry.running = running;
  }

  /** Returns false if the waiter is not in the table. */
  removeWaiter(waiter: Waiter): boolean {
    const entry = this.#entries.get(waiter.correlationId);
    if (entry?.waiter !== waiter) return false;
    if (entry.running === undefined) this.#entries.delete(waiter.correlationId);
    else entry.waiter = undefined;
    return true;
  }

  removeRunning(running: RunningRequest): boolean {
    const entry = this.#entries.get(running.correlationId);
    if (entry?.running !== running) return false;
    if (entry.waiter === undefined) this.#entries.delete(running.correlationId);
    else entry.running = undefined;
    return true;
  }

  /** Changes the id of a waiter, for a request that is answered under another id than its own. */
  renameWaiter(waiter: Waiter, correlationId: string): void {
    this.removeWaiter(waiter);
    waiter.correlationId = correlationId;
    this.addWaiter(waiter);
  }

  listWaiters(owner: object): Waiter[] {
    return [...this.#entries.values()].map(({ waiter }) => waiter).filter((waiter) => waiter?.owner === owner) as Waiter[];
  }

  listRunning(owner: object): RunningRequest[] {
    return [...this.#entries.values()].map(({ running }) => running).filter((running) => running?.owner === owner) as RunningRequest[];
  }
}
