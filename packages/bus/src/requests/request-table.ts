import type { Exchange } from '../exchange.js';
import type { Transport } from '../transport.js';
import type { Waiter } from '../waiter.js';

/** One request, as seen by who waits for it and by who works on it, where those are in this process. */
interface Flight {
  waiter: Waiter | undefined;
  exchange: Exchange | undefined;
}

/**
 * V8 shrinks a map that loses its last entries and grows it again for the next, which with one request in flight is each time, and a fifth
 * of the request. Entries that stay prevent it. Their keys are numbers, so no id can be one.
 */
const residents: (readonly [number, Flight])[] = Array.from({ length: 32 }, (_, key) => [key, { waiter: undefined, exchange: undefined }]);

const tables = new WeakMap<Transport, InFlight>();

/**
 * All requests in flight by correlation id: one map, whatever their number (field failure 81), and one for both sides, because the map is the
 * dearest part of a request and twice would be a quarter more.
 *
 * Shared by all buses of a transport in this process, which are one bus to their users: an id that is in use on one of them is in use on
 * all. Between processes nobody knows all ids; there the random part of generated ids is what keeps them apart.
 */
export class InFlight {
  readonly #flights = new Map<string | number, Flight>(residents);

  static on(transport: Transport): InFlight {
    let table = tables.get(transport);
    if (table === undefined) {
      table = new InFlight();
      tables.set(transport, table);
    }
    return table;
  }

  has(correlationId: string): boolean {
    return this.#flights.has(correlationId);
  }

  waiter(correlationId: unknown): Waiter | undefined {
    return this.#flights.get(correlationId as string)?.waiter;
  }

  exchange(correlationId: unknown): Exchange | undefined {
    return this.#flights.get(correlationId as string)?.exchange;
  }

  /** Who waits for the answer to this very payload; undefined when its id is that of another request, or nobody waits. */
  waiterOf(payload: unknown): Waiter | undefined {
    const waiter = this.waiter((payload as { correlationId?: unknown } | undefined | null)?.correlationId);
    return waiter?.payload === payload ? waiter : undefined;
  }

  /** The same for a payload that is being refused: one that is running already was published again, and its waiter goes on waiting. */
  waiterRefused(payload: unknown): Waiter | undefined {
    const waiter = this.waiterOf(payload);
    return waiter !== undefined && this.exchange(waiter.correlationId)?.payload !== payload ? waiter : undefined;
  }

  addWaiter(waiter: Waiter): void {
    const flight = this.#flights.get(waiter.correlationId);
    if (flight === undefined) this.#flights.set(waiter.correlationId, { waiter, exchange: undefined });
    else flight.waiter = waiter;
  }

  addExchange(exchange: Exchange): void {
    const flight = this.#flights.get(exchange.correlationId);
    if (flight === undefined) this.#flights.set(exchange.correlationId, { waiter: undefined, exchange });
    else flight.exchange = exchange;
  }

  /** False when it was not there, or not any more. */
  removeWaiter(waiter: Waiter): boolean {
    const flight = this.#flights.get(waiter.correlationId);
    if (flight?.waiter !== waiter) return false;
    if (flight.exchange === undefined) this.#flights.delete(waiter.correlationId);
    else flight.waiter = undefined;
    return true;
  }

  removeExchange(exchange: Exchange): boolean {
    const flight = this.#flights.get(exchange.correlationId);
    if (flight?.exchange !== exchange) return false;
    if (flight.waiter === undefined) this.#flights.delete(exchange.correlationId);
    else flight.exchange = undefined;
    return true;
  }

  /** Its request is answered under another id than its own. */
  renameWaiter(waiter: Waiter, correlationId: string): void {
    this.removeWaiter(waiter);
    waiter.correlationId = correlationId;
    this.addWaiter(waiter);
  }

  waitersOf(owner: object): Waiter[] {
    return [...this.#flights.values()].map(({ waiter }) => waiter).filter((waiter) => waiter?.owner === owner) as Waiter[];
  }

  exchangesOf(owner: object): Exchange[] {
    return [...this.#flights.values()].map(({ exchange }) => exchange).filter((exchange) => exchange?.owner === owner) as Exchange[];
  }
}
