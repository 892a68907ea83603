import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, renameSync, rmSync, type Stats } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { SocketTransportError } from './socket-error.js';

/** The address of a unix socket has room for 108 bytes on Linux and 104 elsewhere, the zero behind it included. */
const longestPathBytes = process.platform === 'linux' ? 107 : 103;

/** On Windows a named pipe is no file: nothing has to be made, made private or removed. Written for and not tested. */
export const isNamedPipe = process.platform === 'win32';

export function checkPath(path: string): void {
  if (isNamedPipe) return;
  const bytes = Buffer.byteLength(path);
  if (bytes <= longestPathBytes) return;
  const what = `The path ${path} has ${bytes} bytes, and a socket's address has room for ${longestPathBytes}.`;
  throw new SocketTransportError('invalid_path', what, 'Choose a shorter one, such as in $XDG_RUNTIME_DIR or /tmp.');
}

/** A name beside the path, under which a socket can be made ready before anybody can find it. */
export function nameBeside(path: string): string {
  const name = join(dirname(path), `.${randomBytes(4).toString('hex')}`);
  checkPath(name);
  return name;
}

export function makeDirectoryOf(path: string): void {
  try {
    // Only a directory that is missing is made, and then for our user alone; one that exists is its owner's to arrange.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new SocketTransportError('invalid_path', `The directory of ${path} cannot be made.`, 'Choose another path.', { cause });
  }
}

/**
 * Gives a listening socket its name, which it must not have had before. Bound elsewhere and then linked: nobody sees it before it is private,
 * a path that is taken is noticed and not overwritten, and closing the server (libuv removes the path it was bound to, whoever has it by then)
 * removes nothing of anybody else.
 * @returns what removes the file, while it is still ours.
 */
export async function nameSocket(bound: string, path: string): Promise<() => void> {
  chmodSync(bound, 0o600);
  const own = lstatSync(bound);
  try {
    await placeAt(bound, path);
  } finally {
    rmSync(bound, { force: true });
  }
  return () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined && isSame(found, own)) rmSync(path, { force: true });
  };
}

async function placeAt(bound: string, path: string): Promise<void> {
  // More than once, because of others who clear the same stale file away; not for ever, because somebody may live in doing so.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (tryLink(bound, path)) return;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (!found.isSocket()) throw inUse(`Something that is no socket stands at ${path}.`, 'It is left alone. Choose another path.');
    if (await isAnswered(path)) throw inUse(`Somebody listens at ${path} already.`, 'Connect to it, close it, or choose another path.');
    removeStale(path, found);
  }
  throw inUse(`The socket at ${path} is being replaced again and again by others.`, 'Start one hub at a time.');
}

function tryLink(bound: string, path: string): boolean {
  try {
    linkSync(bound, path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new SocketTransportError('invalid_path', `No socket can be made at ${path}.`, 'Choose another path.', { cause });
  }
}

/** Moved aside and looked at, because another process may have replaced it by its own since it was found dead. */
function removeStale(path: string, stale: Stats): void {
  const aside = nameBeside(path);
  try {
    renameSync(path, aside);
  } catch {
    // Somebody else was faster; the next attempt sees what there is now.
    return;
  }
  if (!isSame(lstatSync(aside), stale)) tryLink(aside, path);
  rmSync(aside, { force: true });
}

/** The time of its making as well: the number of a removed file is given to the next one. */
function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev && one.mtimeMs === other.mtimeMs;
}

/** Only a refusal says that nobody is there: a hub that is stopped, or has too much to do to accept, is alive. */
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

export function inUse(what: string, remedy: string): SocketTransportError {
  return new SocketTransportError('address_in_use', what, remedy);
}
