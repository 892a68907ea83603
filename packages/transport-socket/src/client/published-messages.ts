import type { Delivery } from '@tenterhook/bus';
import type { BusMessage } from '@tenterhook/protocol';
import { isRequestChannel } from '@tenterhook/protocol/internal';

/**
 * A published message whose delivery is not known yet. The object is kept for the listeners in this process: they receive it when
 * the hub reports the position of the message among all messages.
 */
export interface Pending {
  readonly message: BusMessage;
  readonly resolve: (delivery: Delivery) => void;
  readonly reject: (error: Error) => void;
}

/** The messages that a client has published and whose delivery is not known yet, by the numbers that the client gave them. */
export class PublishedMessages {
  #requests = new Map<number, Pending>();
  /** The other messages, oldest first. The hub reports many of them at once. */
  #others = new Map<number, Pending>();

  add(id: number, pending: Pending): void {
    (isRequestChannel(pending.message.type) ? this.#requests : this.#others).set(id, pending);
  }

  find(id: number): Pending | undefined {
    return this.#requests.get(id) ?? this.#others.get(id);
  }

  /** Returns a message, and forgets it. */
  take(id: number): Pending | undefined {
    const pending = this.find(id);
    if (!this.#requests.delete(id)) this.#others.delete(id);
    return pending;
  }

  /** All messages up to this one that are not requests have a position. */
  place(last: number): void {
    for (const [id, { resolve }] of this.#others) {
      if (id > last) return;
      this.#others.delete(id);
      resolve('unserved');
    }
  }

  /** Forgets all messages, and returns them. */
  takeAll(): readonly Pending[] {
    const pending = [...this.#requests.values(), ...this.#others.values()];
    this.#requests = new Map();
    this.#others = new Map();
    return pending;
  }
}
