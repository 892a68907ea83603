import { createServer, type Server } from 'node:net';
import type { Transport } from '@tenterhook/bus';
import { checkLimits, requireInteger, requirePath, type SocketLimits } from '../limits.js';
import { SocketTransportError } from '../socket-error.js';
import { checkPath, inUse, isNamedPipe, makeDirectoryOf, nameBeside, nameSocket } from '../socket-path.js';
import { SocketHub } from './socket-hub.js';

export interface ListenOptions extends SocketLimits {
  /** Where to listen: the path of a unix socket, at most 107 bytes on Linux and 103 on macOS; on Windows that of a named pipe. */
  readonly path: string;

  /** Connections at once; one more is told so and ended. From 1. @default 256 */
  readonly maxConnections?: number | undefined;
}

/**
 * The hub of a star: mostly the agent. Resolves when others can connect. Only processes of the same user can (the socket has mode 0600; a
 * directory that had to be made has 0700). A socket file that nobody answers at is replaced.
 *
 * Rejects with a SocketTransportError: `address_in_use`, `invalid_path`; with a TypeError for wrong options.
 */
export async function listenOnSocket({ path, maxConnections = 256, ...limits }: ListenOptions): Promise<Transport> {
  requirePath(path);
  requireInteger('maxConnections', maxConnections, 1, Number.MAX_SAFE_INTEGER);
  const checked = checkLimits(limits);
  checkPath(path);
  const server = createServer();
  const removeFile = isNamedPipe ? await listenAtPipe(server, path) : await listenAtFile(server, path);
  return new SocketHub(server, removeFile, checked, maxConnections);
}

async function listenAtFile(server: Server, path: string): Promise<() => void> {
  makeDirectoryOf(path);
  const bound = nameBeside(path);
  try {
    await listen(server, bound);
  } catch (cause) {
    const what = `Nothing can be made in the directory of ${path} (${(cause as NodeJS.ErrnoException).code}).`;
    throw new SocketTransportError('invalid_path', what, 'Choose a directory that this user may write to.', { cause });
  }
  try {
    return await nameSocket(bound, path);
  } catch (error) {
    server.close();
    throw error;
  }
}

async function listenAtPipe(server: Server, path: string): Promise<() => void> {
  try {
    await listen(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw inUse(`Somebody listens at ${path} already.`, 'Connect to it, close it, or choose another path.');
  }
  return () => {};
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
