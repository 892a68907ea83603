import { type BusMessage, isRequestChannel } from '@tenterhook/protocol';
import { freezeDeeply } from './freeze.js';
import { log } from './log.js';
import { isResponseChannel } from './response-channels.js';
import type { Delivery, Transport } from './transport.js';

/** What happens to a request that its transport did not bring to a server. */
export interface Undelivered {
  /** Nobody serves the channel. */
  unserved(message: BusMessage): void;

  /** The transport failed; the request may or may not have got anywhere. */
  failed(message: BusMessage, error: unknown): void;
}

/** Everything a bus publishes goes out here. send() never throws, and never waits. */
export class Outbox {
  readonly #transport: Transport;
  readonly #undelivered: Undelivered;
  readonly #carrying = new Set<Promise<void>>();
  #isClosed = false;

  constructor(transport: Transport, undelivered: Undelivered) {
    this.#transport = transport;
    this.#undelivered = undelivered;
  }

  readonly send = (message: BusMessage): void => {
    if (this.#isClosed) {
      log('%s was not published: the bus is closed', message.type);
      return;
    }
    // The one place where responses are frozen: all who get one in this process get the same object, and none may change it for the others.
    if (isResponseChannel(message.type)) freezeDeeply(message);
    let delivery: Delivery | Promise<Delivery>;
    try {
      delivery = this.#transport.publish(message);
    } catch (error) {
      this.#fail(message, error);
      return;
    }
    if (delivery === 'served') return;
    if (delivery === 'unserved') this.#unserved(message);
    else this.#carry(message, delivery);
  };

  /** Resolves when the transport has taken everything, or after `maxMs`: a blocked transport must not keep a bus from closing. */
  async flush(maxMs: number): Promise<void> {
    if (this.#carrying.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, maxMs, true);
    });
    // Again, because an unserved request is answered, and the answer has to be carried too.
    while (this.#carrying.size > 0) {
      if (await Promise.race([Promise.all(this.#carrying).then(() => false), tooLate])) break;
    }
    clearTimeout(timer);
  }

  close(): void {
    this.#isClosed = true;
  }

  #carry(message: BusMessage, delivery: Promise<Delivery>): void {
    const carried = delivery.then(
      (delivered) => {
        this.#carrying.delete(carried);
        if (delivered === 'unserved') this.#unserved(message);
      },
      (error: unknown) => {
        this.#carrying.delete(carried);
        this.#fail(message, error);
      },
    );
    this.#carrying.add(carried);
  }

  #unserved(message: BusMessage): void {
    if (isRequestChannel(message.type)) this.#undelivered.unserved(message);
  }

  #fail(message: BusMessage, error: unknown): void {
    log('the transport %s did not carry %s: %O', this.#transport.name, message.type, error);
    if (isRequestChannel(message.type)) this.#undelivered.failed(message, error);
  }
}
