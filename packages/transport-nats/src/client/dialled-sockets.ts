import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const dialling = new AsyncLocalStorage<DialledSockets>();
/** The attempts that are not forgotten yet. */
let attempts = 0;

/** Node publishes each socket of `net.connect()` on this channel. */
const openedSockets = 'net.client.socket';

/**
 * The sockets that one attempt to connect opens. If a server accepts the connection and never answers, the library leaves the socket open,
 * and it would keep the process from ending.
 */
export class DialledSockets {
  readonly #sockets = new Set<Socket>();
  #isFollowing = false;
  readonly #add = (message: unknown): void => {
    if (dialling.getStore() === this) this.#sockets.add((message as { readonly socket: Socket }).socket);
  };

  /** Calls the function, and follows which sockets it opens until `forget()`. */
  during<Result>(dial: () => Result): Result {
    subscribe(openedSockets, this.#add);
    this.#isFollowing = true;
    attempts += 1;
    return dialling.run(this, dial);
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Idempotent. */
  forget(): void {
    if (!this.#isFollowing) return;
    this.#isFollowing = false;
    unsubscribe(openedSockets, this.#add);
    this.#sockets.clear();
    attempts -= 1;
    // While a storage has ever been used, Node calls hooks for each promise of the process, which makes all requests slower.
    if (attempts === 0) dialling.disable();
  }
}
