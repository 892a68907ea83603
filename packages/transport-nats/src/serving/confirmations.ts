import type { ClientWire } from '../client/client-wire.js';
import type { TakenRequest, TakenRequests } from './taken-requests.js';

/**
 * Reports to requesters that this process has their requests. A request that is answered in the same turn of the event loop needs no report,
 * because its answer says the same. With a report for each request, there would be a third more messages, and one more write.
 */
export class Confirmations {
  readonly #wire: ClientWire;
  readonly #taken: TakenRequests;
  #late: TakenRequest[] = [];

  constructor(wire: ClientWire, taken: TakenRequests) {
    this.#wire = wire;
    this.#taken = taken;
  }

  /** Reports a request at the end of this turn, unless it is answered before. */
  sendLate(taken: TakenRequest): void {
    this.#late.push(taken);
    if (this.#late.length === 1) setImmediate(this.#sendAll);
  }

  send(taken: TakenRequest): void {
    taken.isConfirmed = true;
    this.#wire.reply(taken.replies, 'taken', { worker: this.#wire.name, token: this.#taken.tokenOf(taken) });
  }

  readonly #sendAll = (): void => {
    const late = this.#late;
    this.#late = [];
    for (const taken of late) if (!taken.isConfirmed) this.send(taken);
  };
}
