import type { BusMessage, Channel, ErrorCode, RequestChannel } from '@tenterhook/protocol';
import { nanoid } from 'nanoid';
import type { Transport } from '../transport.js';
import type { AnyResponse } from './responses.js';

/** One request, as seen by its requester and by its responder, where those are in this process. */
interface Entry {
  waiter: Waiter | undefined;
  running: RunningRequest | undefined;
}

/** A requester that waits for a response. */
export interface Waiter {
  /** The half of a bus that has to release it. */
  readonly owner: object;
  readonly channel: RequestChannel;
  readonly responseChannel: Channel;
  /** As it was published: distinguishes two requests with the same id. */
  readonly payload: object;
  /** Called once, with the response or the failure that replaces it. */
  readonly settle: (response: AnyResponse) => void;
  readonly onProgress: ((message: BusMessage) => void) | undefined;
  correlationId: string;
  timer: NodeJS.Timeout | undefined;
  stopListening: (() => void) | undefined;
  /** Why the requester has stopped waiting, during the grace period in which the response may still bring details. */
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
 * V8 shrinks a map that loses its last entries and grows it again for the next. With one request in flight that happens each time, and costs
 * a fifth of the request. Entries that stay prevent it. Their keys are numbers, so they equal no id.
 */
const prefill: (readonly [number, Entry])[] = Array.from({ length: 32 }, (_, key) => [key, { waiter: undefined, running: undefined }]);

const tables = new WeakMap<Transport, RequestTable>();

/**
 * All requests in flight by correlation id: one map, whatever their number (field failure 81), and one for both sides, because the map is the
 * most expensive part of a request and two maps would cost a quarter more.
 *
 * All buses of a transport in this process share it, because they are one bus to their users: an id that is in use on one of them is in use
 * on all. No process knows all ids of the others; there the random part of generated ids keeps them apart.
 */
export class RequestTable {
  readonly #entries = new Map<string | number, Entry>(prefill);

  /**
   * An id that no other table generates, in this process or another. The random part is drawn once: an id is then a counter (50 ns), where a
   * random id for each request would cost more than the rest of the request path.
   */
  readonly nextId: () => string;

  private constructor() {
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
      table = new RequestTable();
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

  /** The waiter, unless a responder in this process works on its request: that responder alone answers it. */
  waiterForAnswer(correlationId: unknown): Waiter | undefined {
    const entry = this.#entries.get(correlationId as string);
    return entry?.running === undefined ? entry?.waiter : undefined;
  }

  running(correlationId: unknown): RunningRequest | undefined {
    return this.#entries.get(correlationId as string)?.running;
  }

  /** The waiter for the answer to this payload object; undefined when its id is that of another request, or nothing waits. */
  findWaiter(payload: unknown): Waiter | undefined {
    const waiter = this.waiter((payload as { correlationId?: unknown } | undefined | null)?.correlationId);
    return waiter?.payload === payload ? waiter : undefined;
  }

  /** The same for a payload that is being refused. A payload that runs already was published again, and its waiter goes on waiting. */
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

  /** False when it is not in the table. */
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

  /** For a request that is answered under another id than its own. */
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
