import type { Transport } from '@tenterhook/bus';
import type { ConnectOptions } from './client/connect-to-socket.js';
import type { ListenOptions } from './hub/listen-on-socket.js';

/** An end of the star. */
export interface SocketTransport extends Transport {
  /** `close()` at the end of a scope: `await using transport = await connectToSocket(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

// Both ends are loaded when they are opened: most programs have one process, and loading them costs a tenth of the start time.

/**
 * An outer end of the star. Resolves when the hub has answered. When the hub goes away later, the client tries to reconnect until close(),
 * after 50 ms and then at growing intervals of at most 2 s; `onConnectionChange` reports both.
 *
 * The socket and its directory must belong to this user or to root, and no other user may be able to replace the socket.
 *
 * Rejects with a SocketTransportError: `no_hub`, `not_ours`, `version_mismatch`, `too_many_connections`, `invalid_path`, `cancelled`; with a
 * TypeError for wrong options.
 */
export async function connectToSocket(options: ConnectOptions): Promise<SocketTransport> {
  return (await import('./client/connect-to-socket.js')).connectToSocket(options);
}

/**
 * The hub of a star, usually the agent. Resolves when others can connect. Only processes of the same user can (the socket has mode 0600; a
 * directory that had to be created has 0700). A socket file of this user without a listening process is
 * replaced.
 *
 * Rejects with a SocketTransportError: `address_in_use`, `not_ours`, `invalid_path`; with a TypeError for wrong options.
 */
export async function listenOnSocket(options: ListenOptions): Promise<SocketTransport> {
  return (await import('./hub/listen-on-socket.js')).listenOnSocket(options);
}
