import type { BusMessage } from '@tenterhook/protocol';
import type { ClientWire } from '../client/client-wire.js';
import type { Taker } from '../jobs/kept-request.js';
import { failedAnswer } from '../wire/answer.js';
import type { AskedRequest, AskedRequests } from './asked-requests.js';

/** The ways in which a request ends without the answer of a worker. */
export class RequestEnds {
  readonly #wire: ClientWire;
  readonly #asked: AskedRequests;

  constructor(wire: ClientWire, asked: AskedRequests) {
    this.#wire = wire;
    this.#asked = asked;
  }

  /** There is no worker. Has no effect if a worker has received the request. */
  settleUnserved(asked: AskedRequest): void {
    if (asked.state !== 'asking') return;
    this.#asked.remove(asked);
    asked.resolve('unserved');
  }

  /** No worker can receive the request. */
  reject(asked: AskedRequest, error: Error): void {
    this.#asked.remove(asked);
    asked.reject(error);
  }

  /** This process does not wait any longer. A late answer is still accepted. */
  giveUp(asked: AskedRequest, error: Error): void {
    const isAsking = asked.state === 'asking';
    if (isAsking) asked.kept?.withdraw();
    this.#asked.finish(asked);
    if (isAsking) asked.reject(error);
  }

  /** Answers a request in place of a worker. */
  fail(asked: AskedRequest, code: string, what: string): void {
    asked.isAnswered = true;
    this.#asked.finish(asked);
    const message = failedAnswer(asked, code, what);
    if (message === undefined) return;
    this.#wire.sendToLog(message, this.#wire.encode(message), true);
    this.#wire.listeners.deliver(message);
  }

  /** Sends a cancel to workers that have received the request. */
  sendCancel(workers: Iterable<Taker>, message: BusMessage): void {
    const data = this.#wire.encode(message);
    for (const { name, token } of workers) {
      const control = this.#wire.subjects.controlOf(name);
      // A server of this process receives the cancel from the listeners.
      if (name === this.#wire.name) this.#wire.sendToLog(message, data);
      else if (control !== undefined) this.#wire.send(`${control.cancels}.${token}`, message, data);
    }
  }
}
