import type { Transport } from '@tenterhook/bus';
import type { ConnectToSocketOptions } from './client/connect-to-socket.js';
import type { ListenOnSocketOptions } from './hub/listen-on-socket.js';

/** The transport of one process: the hub, or a client of it. */
export interface SocketTransport extends Transport {
  /** Calls `close()` at the end of a scope: `await using transport = await connectToSocket(…)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

// Loaded when first needed. The code of client and hub takes a tenth of the start time, and most programs have only one process.

/**
 * Connects to a hub, as a client. Resolves when the hub has answered. If the connection is lost later, the client tries to
 * reconnect until close(): first after 50 ms, then at growing intervals of at most 2 s. `onConnectionChange` reports the loss and
 * the reconnection.
 *
 * The socket and its directory must belong to this user or to root, and no other user may be able to replace the socket.
 *
 * Rejects with a SocketTransportError (`no_hub`, `not_ours`, `version_mismatch`, `too_many_connections`, `invalid_path`,
 * `cancelled`), or with a TypeError for invalid options.
 */
export async function connectToSocket(options: ConnectToSocketOptions): Promise<SocketTransport> {
  return (await import('./client/connect-to-socket.js')).connectToSocket(options);
}

/**
 * Starts a hub, usually in the agent. Resolves when clients can connect. Only processes of the same user can connect: the socket
 * has the mode 0600, and a directory that is created has the mode 0700. A socket file of this user is replaced if no process
 * listens at it.
 *
 * Rejects with a SocketTransportError (`address_in_use`, `not_ours`, `invalid_path`, `cancelled`), or with a TypeError for invalid
 * options.
 */
export async function listenOnSocket(options: ListenOnSocketOptions): Promise<SocketTransport> {
  return (await import('./hub/listen-on-socket.js')).listenOnSocket(options);
}
