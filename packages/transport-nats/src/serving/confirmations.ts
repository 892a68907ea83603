import type { ClientWire } from '../client/client-wire.js';
import type { TakenRequest } from './taken-requests.js';

/**
 * Reports to requesters that this process has their requests. A request that is answered in the same turn of the event loop needs no report,
 * because its answer says the same. With a report for each request, the server would carry a fifth more messages.
 */
export class Confirmations {
  readonly #wire: ClientWire;
  #late: TakenRequest[] = [];

  constructor(wire: ClientWire) {
    this.#wire = wire;
  }

  /** Reports a request at the end of this turn, unless it is answered before. */
  sendLate(taken: TakenRequest): void {
    this.#late.push(taken);
    if (this.#late.length === 1) setImmediate(this.#sendAll);
  }

  send(taken: TakenRequest): void {
    const { replies, token } = taken;
    taken.isConfirmed = true;
    this.#wire.reply(replies, 'taken', { worker: this.#wire.name, token });
  }

  readonly #sendAll = (): void => {
    const late = this.#late;
    this.#late = [];
    for (const taken of late) if (!taken.isConfirmed) this.send(taken);
  };
}
