import type { BusMessage, Channel, ErrorCode, RequestChannel } from '@tenterhook/protocol';
import { nanoid } from 'nanoid';
import { MemoryTransport } from '../memory-transport.js';
import type { Transport } from '../transport.js';
import type { AnyResponse } from './responses.js';

/** One request, with its requester and its responder if they are in this process. */
export interface Entry {
  waiter: Waiter | undefined;
  running: RunningRequest | undefined;
}

/** A requester that waits for a response. */
export interface Waiter {
  /** The `PendingRequests` that has to release it. */
  readonly owner: object;
  readonly channel: RequestChannel;
  readonly responseChannel: Channel;
  /** The published payload object. It distinguishes two requests with the same id. */
  readonly payload: object;
  /** Called once, with the response or the failure that replaces it. */
  readonly settle: (response: AnyResponse) => void;
  readonly onProgress: ((message: BusMessage) => void) | undefined;
  correlationId: string;
  /** Where it is in the table. Set by the table. */
  entry: Entry | undefined;
  timer: NodeJS.Timeout | undefined;
  stopListening: (() => void) | undefined;
  /** Why the requester has stopped waiting. Set during the grace period, in which a late response may add details. */
  ending: { readonly code: ErrorCode; readonly message: string } | undefined;
}

/** A request that a responder works on. */
export interface RunningRequest {
  readonly owner: object;
  readonly channel: RequestChannel;
  readonly correlationId: string;
  readonly payload: unknown;
  /** Where it is in the table. Set by the table. */
  entry: Entry | undefined;
  abort(reason: string): void;
}

/**
 * Entries that stay in the map, so that it is never empty. V8 shrinks a map that becomes empty and grows it for the next entry. That would
 * take a fifth of the time of each request. With one entry more than a power of two, V8 seldom has to clean the map of deleted entries.
 * The keys are numbers, so none equals a correlation id.
 */
const prefill: (readonly [number, Entry])[] = Array.from({ length: 33 }, (_, key) => [key, { waiter: undefined, running: undefined }]);

const tables = new WeakMap<Transport, RequestTable>();

/**
 * All requests in flight by correlation id. A listener for each request was rejected (field failure 81). Requesters and responders share
 * one map, because the map is the most expensive part of a request: with two maps a request would take a quarter longer.
 *
 * All buses of a transport in this process share one table, because they act as one bus. An id that is in use on one bus is in use on all.
 * The ids of other processes are unknown here. The random part of generated ids keeps them different.
 */
export class RequestTable {
  readonly #entries = new Map<string | number, Entry>(prefill);
  /**
   * The oldest request, if it arrived while there was no other. Most requests are alone, and a map takes a fifth of the time of a request.
   * It is not in the map.
   */
  readonly #first: Entry & { correlationId: string | undefined } = { correlationId: undefined, waiter: undefined, running: undefined };

  /**
   * The entry that was found last, and its id. The steps of a request look for it one after another, and nearly always with the same object
   * as the id, which is compared in a nanosecond.
   */
  #lastId: unknown;
  #last: Entry | undefined;

  /**
   * Generates an id that is unique among all processes.
   *
   * In memory, an id is a counter and a random part, which is the same for the whole table. This takes 50 ns. The counter comes first, so
   * that ids that differ do so in the first characters. New random bits for each
   * request would take longer than the rest of the request. On other transports each id is random, so that another process cannot guess it
   * and use it first.
   */
  readonly #generate: () => string;

  private constructor(transport: Transport) {
    if (!(transport instanceof MemoryTransport)) {
      this.#generate = () => nanoid();
      return;
    }
    const suffix = `-${nanoid()}`;
    let count = 0;
    this.#generate = () => {
      count += 1;
      return count + suffix;
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

  /** Returns a generated id that no request has. A subscriber in this process sees the ids, and could use the next one first. */
  nextId(): string {
    let id = this.#generate();
    while (this.has(id)) id = this.#generate();
    return id;
  }

  has(correlationId: string): boolean {
    return this.#find(correlationId) !== undefined;
  }

  waiter(correlationId: unknown): Waiter | undefined {
    return this.#find(correlationId)?.waiter;
  }

  /**
   * Returns the waiter for a received response. Undefined if a responder in this process works on the request, because only that responder
   * may answer.
   */
  waiterForAnswer(correlationId: unknown): Waiter | undefined {
    const entry = this.#find(correlationId);
    return entry?.running === undefined ? entry?.waiter : undefined;
  }

  running(correlationId: unknown): RunningRequest | undefined {
    return this.#find(correlationId)?.running;
  }

  /** Returns the waiter for the response to this payload object. Undefined if there is none, or if the id belongs to another request. */
  findWaiter(payload: unknown): Waiter | undefined {
    const waiter = this.waiter((payload as { correlationId?: unknown } | undefined | null)?.correlationId);
    return waiter?.payload === payload ? waiter : undefined;
  }

  /**
   * Returns the waiter of a payload that is refused. Undefined if the payload was published twice and its first request still runs, because
   * the waiter of the first request must continue to wait.
   */
  findRefusedWaiter(payload: unknown): Waiter | undefined {
    const waiter = this.findWaiter(payload);
    return waiter !== undefined && this.running(waiter.correlationId)?.payload !== payload ? waiter : undefined;
  }

  /** `isNew`: the id was generated for this request, so it is certain that the table does not have it. */
  addWaiter(waiter: Waiter, isNew = false): void {
    const entry = isNew ? this.#add(waiter.correlationId) : this.#entryOf(waiter.correlationId);
    entry.waiter = waiter;
    waiter.entry = entry;
  }

  addRunning(running: RunningRequest): void {
    const entry = this.#entryOf(running.correlationId);
    entry.running = running;
    running.entry = entry;
  }

  /** Returns false if the waiter is not in the table. */
  removeWaiter(waiter: Waiter): boolean {
    const { entry } = waiter;
    if (entry?.waiter !== waiter) return false;
    entry.waiter = undefined;
    waiter.entry = undefined;
    if (entry.running === undefined) this.#remove(waiter.correlationId, entry);
    return true;
  }

  removeRunning(running: RunningRequest): boolean {
    const { entry } = running;
    if (entry?.running !== running) return false;
    entry.running = undefined;
    running.entry = undefined;
    if (entry.waiter === undefined) this.#remove(running.correlationId, entry);
    else this.#remember(running.correlationId, entry);
    return true;
  }

  /** Changes the id of a waiter whose request is answered under another id. */
  renameWaiter(waiter: Waiter, correlationId: string): void {
    this.removeWaiter(waiter);
    waiter.correlationId = correlationId;
    this.addWaiter(waiter);
  }

  listWaiters(owner: object): Waiter[] {
    return this.#list().flatMap(({ waiter }) => (waiter?.owner === owner ? [waiter] : []));
  }

  listRunning(owner: object): RunningRequest[] {
    return this.#list().flatMap(({ running }) => (running?.owner === owner ? [running] : []));
  }

  /** The oldest request comes first. */
  #list(): readonly Entry[] {
    return [this.#first, ...this.#entries.values()];
  }

  #find(correlationId: unknown): Entry | undefined {
    if (correlationId === undefined) return undefined;
    if (this.#lastId === correlationId) return this.#last;
    const found = this.#first.correlationId === correlationId ? this.#first : this.#entries.get(correlationId as string);
    if (found !== undefined) this.#remember(correlationId, found);
    return found;
  }

  #remember(correlationId: unknown, entry: Entry): void {
    this.#lastId = correlationId;
    this.#last = entry;
  }

  #entryOf(correlationId: string): Entry {
    return this.#find(correlationId) ?? this.#add(correlationId);
  }

  #add(correlationId: string): Entry {
    let entry: Entry;
    if (this.#first.correlationId === undefined && this.#entries.size === prefill.length) {
      this.#first.correlationId = correlationId;
      entry = this.#first;
    } else {
      entry = { waiter: undefined, running: undefined };
      this.#entries.set(correlationId, entry);
    }
    this.#remember(correlationId, entry);
    return entry;
  }

  #remove(correlationId: string, entry: Entry): void {
    if (this.#last === entry) this.#remember(undefined, entry);
    if (entry === this.#first) this.#first.correlationId = undefined;
    else this.#entries.delete(correlationId);
  }
}
