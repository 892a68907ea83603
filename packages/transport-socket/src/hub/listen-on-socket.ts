import { chmodSync, linkSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, type Stats } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { untilAbort } from '@tenterhook/runtime/async';
import { describeAbort, requireOptions } from '@tenterhook/runtime/text';
import { checkLimits, checkPath, isNamedPipe, requireInteger, requirePath, requireSignal, type SocketLimits } from '../limits.js';
import { SocketTransportError } from '../socket-error.js';
import { isOwn, isSameFile, notOurs, requireSafeFolder } from '../socket-place.js';
import { SocketHub } from './socket-hub.js';

export interface ListenOnSocketOptions extends SocketLimits {
  /** The path of a unix socket: at most 107 bytes on Linux, 103 on macOS. On Windows, the path of a named pipe. */
  readonly path: string;

  /** Maximum number of connections, an integer from 1. A connection beyond it receives an error and is closed. @default 256 */
  readonly maxConnections?: number | undefined;

  /** Ends the attempt to listen, and removes what was created for it. Has no effect once the hub listens. @default none */
  readonly signal?: AbortSignal | undefined;
}

export async function listenOnSocket(options: ListenOnSocketOptions): Promise<SocketHub> {
  requireOptions('listenOnSocket', options, optionNames);
  const { path, maxConnections = 256, signal, ...limits } = options;
  requirePath('listenOnSocket', path);
  requireInteger('listenOnSocket: maxConnections', maxConnections, 1, Number.MAX_SAFE_INTEGER);
  requireSignal('listenOnSocket', signal);
  const checked = checkLimits('listenOnSocket', limits);
  checkPath(path);
  return untilAbort(
    async () => {
      const server = createServer();
      const removeFile = isNamedPipe ? await listenAtPipe(server, path) : await listenAtFile(server, path);
      const hub = new SocketHub(server, isNamedPipe ? undefined : resolve(dirname(path)), removeFile, checked, maxConnections);
      // The caller is not waiting any more and could not close this hub.
      if (signal?.aborted) await hub.close();
      return hub;
    },
    signal,
    ({ reason }) => {
      const what = describeAbort(`The signal ended the attempt to listen at ${path}`, { reason });
      return new SocketTransportError('cancelled', what, 'Nothing is left open.', { cause: reason });
    },
  );
}

const optionNames = Object.keys({
  path: true,
  maxConnections: true,
  signal: true,
  maxMessageBytes: true,
  maxWaitingBytes: true,
} satisfies Record<keyof ListenOnSocketOptions, true>);

async function listenAtFile(server: Server, path: string): Promise<() => void> {
  makeDirectoryOf(path);
  requireSafeFolder(dirname(path));
  let room: string | undefined;
  try {
    room = makeRoom(path);
    await listen(server, join(room, boundName));
  } catch (cause) {
    if (room !== undefined) rmSync(room, { recursive: true, force: true });
    if (cause instanceof SocketTransportError) throw cause;
    const what = `Files cannot be created in the directory of ${path} (${(cause as NodeJS.ErrnoException).code}).`;
    throw new SocketTransportError('invalid_path', what, 'Choose a directory that this user can write to.', { cause });
  }
  try {
    return await nameSocket(room, path);
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
    throw inUse(`Another process already listens at ${path}.`, 'Connect to it, close it, or choose another path.');
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

const boundName = 's';

/**
 * Creates a directory with mode 0700 next to the path. The socket is prepared in it: the mode of a new socket depends on the umask,
 * so without the directory another user could connect before the chmod.
 */
function makeRoom(path: string): string {
  const beside = join(dirname(path), '.');
  checkPath(join(`${beside}XXXXXX`, boundName));
  // `join()` was rejected, because it would remove the dot.
  return mkdtempSync(`${dirname(path)}/.`);
}

function makeDirectoryOf(path: string): void {
  try {
    // Only our user can access a directory that is created here. An existing directory keeps its mode.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new SocketTransportError('invalid_path', `The directory of ${path} cannot be created.`, 'Choose another path.', { cause });
  }
}

/**
 * Links a listening socket from its private directory to its path. @returns a function that removes the file if it is still ours.
 *
 * Creating the socket at its path was rejected, for three reasons:
 * - Other users could see it before it is private.
 * - The path of a running hub could be overwritten without notice.
 * - Closing a server makes libuv remove the path at which the socket was created, even if the file there now belongs to another
 *   process.
 */
async function nameSocket(room: string, path: string): Promise<() => void> {
  const bound = join(room, boundName);
  chmodSync(bound, 0o600);
  const own = lstatSync(bound);
  try {
    await placeAt(room, path);
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
  return () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && isSameFile(found, own)) rmSync(path, { force: true });
  };
}

async function placeAt(room: string, path: string): Promise<void> {
  // Several attempts, because other processes may remove the same stale file. Their number is limited, because another process
  // might replace the file again and again.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (tryLink(join(room, boundName), path)) return;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (!found.isSocket()) throw inUse(`${path} exists and is not a socket.`, 'It was not changed. Choose another path.');
    // Root could remove the file of another user. It is kept, because it may belong to a service that is about to restart.
    if (!isOwn(found)) throw notOurs(`The socket at ${path} belongs to another user (uid ${found.uid}). It was not changed.`);
    if (await isAnswered(path))
      throw inUse(`Another process already listens at ${path}.`, 'Connect to it, close it, or choose another path.');
    removeStale(room, path, found);
  }
  throw inUse(`Other processes keep replacing the socket at ${path}.`, 'Start one hub at a time.');
}

function tryLink(bound: string, path: string): boolean {
  try {
    linkSync(bound, path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new SocketTransportError('invalid_path', `A socket cannot be created at ${path}.`, 'Choose another path.', { cause });
  }
}

/**
 * Removes a stale socket. Another process may have replaced it in the meantime, so the file is first moved into our directory and
 * compared.
 */
function removeStale(room: string, path: string, stale: Stats): void {
  const aside = join(room, 'stale');
  try {
    renameSync(path, aside);
  } catch {
    // Another process moved or removed the file first. The next attempt sees the new state.
    return;
  }
  if (!isSameFile(lstatSync(aside), stale)) tryLink(aside, path);
  rmSync(aside, { force: true });
}

/**
 * Tests whether a process listens at the path. Only a refused connection means no: a hub that is paused, or too busy to accept,
 * still exists.
 */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}

function inUse(what: string, remedy: string): SocketTransportError {
  return new SocketTransportError('address_in_use', what, remedy);
}
