import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isNamedPipe, isTooLong } from './limits.js';
import { SocketTransportError } from './socket-error.js';

export interface SocketPlace {
  readonly path: string;
  /** The file at the path, or undefined if it does not exist yet. */
  readonly socket: Stats | undefined;
}

/**
 * Finds the socket. Throws `not_ours` if another user listens there or can replace the socket. Throws an error of the system if the
 * directory does not exist. The listening process receives prompts and tool calls, and its answers decide, so it must belong to our
 * user.
 *
 * Links are resolved, so that the path that is checked is also the path to which the client connects. The directories above are not
 * checked: a user who can rename them still cannot create files that belong to our user.
 */
export function findSocket(path: string): SocketPlace {
  if (isNamedPipe) return { path, socket: undefined };
  const folder = realpathSync(dirname(path));
  const found = lstatSync(join(folder, basename(path)), { throwIfNoEntry: false });
  if (found !== undefined) requireTrusted(found, path);
  // A link of our user may lead anywhere, so the directory of its target is checked too.
  if (found?.isSymbolicLink()) return findSocket(realpathSync(path));
  requireSafeFolder(folder);
  const resolved = join(folder, basename(path));
  return { path: isTooLong(resolved) ? path : resolved, socket: found };
}

/** Throws `not_ours` unless the directory belongs to this user or to the system, and no other user can replace a file in it. */
export function requireSafeFolder(folder: string): void {
  const { uid, mode } = statSync(folder);
  if (!isTrusted(uid)) {
    throw notOurs(`The directory ${folder} belongs to another user (uid ${uid}), who can replace a socket in it.`, elsewhere);
  }
  const isShared = (mode & 0o022) !== 0;
  const isSticky = (mode & 0o1000) !== 0;
  if (!isShared || isSticky) return;
  throw notOurs(
    `Other users can write to the directory ${folder} and replace a socket in it.`,
    `Run chmod go-w '${folder}', or ${elsewhereToo}`,
  );
}

/** Tests whether the file belongs to the user of this process. */
export function isOwn({ uid }: Stats): boolean {
  return uid === process.geteuid?.();
}

/** Tests whether two files are the same. The time is compared too, because the system reuses the inode number of a removed file. */
export function isSameFile(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev && one.mtimeMs === other.mtimeMs;
}

const elsewhereToo = 'choose a path in a directory that only this user can write to, such as $XDG_RUNTIME_DIR.';
const elsewhere = `C${elsewhereToo.slice(1)}`;

export function notOurs(what: string, remedy = elsewhere): SocketTransportError {
  return new SocketTransportError('not_ours', what, remedy);
}

function requireTrusted({ uid }: Stats, path: string): void {
  if (!isTrusted(uid)) throw notOurs(`The socket at ${path} belongs to another user (uid ${uid}). Nothing was sent to it.`);
}

function isTrusted(uid: number): boolean {
  return uid === 0 || uid === process.geteuid?.();
}
