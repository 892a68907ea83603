import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, type Stats, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How long a file or folder may be in `tmp` before it counts as left over from a process that was killed, in milliseconds. */
const leftoverMs = 60 * 60 * 1000;

/**
 * Writes a file that only this user can read, as a whole: it is written beside, reaches the disk, and gets its name. A process that is
 * killed leaves the old state. Throws the error of the file system, and leaves nothing then. `isDurable`: false for a file that may be lost
 * when the machine stops.
 */
export function writePrivateFile(store: string, file: string, bytes: Uint8Array, isDurable = true): void {
  const temporary = join(makeTemporaryFolder(store), randomBytes(12).toString('hex'));
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      if (isDurable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    // A file is replaced by the rename. A directory with its name, which does not count as a record, would be in the way.
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) rmSync(file, { recursive: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (isDurable) syncFolder(dirname(file));
}

/** Removes a folder of the store with everything in it. It is gone at once, also for a process that reads meanwhile. */
export function removeFolder(store: string, folder: string): void {
  const leaving = join(makeTemporaryFolder(store), randomBytes(12).toString('hex'));
  renameSync(folder, leaving);
  syncFolder(dirname(folder));
  rmSync(leaving, { recursive: true, force: true });
}

/** Makes the last change of a folder's names reach the disk. Windows does that itself, and has no such call for folders. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a folder, and those above it, for this user alone. */
export function makePrivateFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Returns the folder for files that are being written. It is on the same disk, so that a rename replaces a file as a whole. */
function makeTemporaryFolder(store: string): string {
  const folder = makePrivateFolder(join(store, 'tmp'));
  for (const name of readdirSync(folder)) {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > leftoverMs) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return folder;
}

/** Returns what is wrong with the owner or mode of a file that only this user may have written and may read. */
export function judgePrivateFile({ uid, mode }: Stats): string | undefined {
  const own = process.geteuid?.();
  if (own === undefined) return undefined;
  if (uid !== own) return `belongs to the user with the uid ${uid}, and must belong to ${own}`;
  return (mode & 0o077) === 0 ? undefined : `has the mode ${shownMode(mode)}, so that other users can read or write it`;
}

/** Returns what is wrong with a folder in which only this user may add and remove files. */
export function judgePrivateFolder(stats: Stats): string | undefined {
  const own = process.geteuid?.();
  if (!stats.isDirectory()) return 'is not a directory';
  if (own === undefined) return undefined;
  if (stats.uid !== own) return `belongs to the user with the uid ${stats.uid}, and must belong to ${own}`;
  return (stats.mode & 0o022) === 0 ? undefined : `has the mode ${shownMode(stats.mode)}, so that other users can write to it`;
}

function shownMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}
