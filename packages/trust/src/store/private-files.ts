import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, type Stats, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Milliseconds after which a file or folder in `tmp` is removed, because a killed process must have left it. */
const leftoverMs = 60 * 60 * 1000;

/**
 * Writes a whole file that only this user can read. It writes a temporary file, syncs it to the disk, and renames it. If the process is
 * killed meanwhile, the old file is unchanged. Throws the error of the file system, and leaves no temporary file. With `isDurable: false`
 * it does not sync: for a file that may be lost if the machine stops.
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
    // A rename replaces a file, but not a directory with the same name. Such a directory is not a record, so it is removed.
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) rmSync(file, { recursive: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (isDurable) syncFolder(dirname(file));
}

/** Removes a folder of the store with everything in it. The rename hides it from other processes at once. */
export function removeFolder(store: string, folder: string): void {
  const leaving = join(makeTemporaryFolder(store), randomBytes(12).toString('hex'));
  renameSync(folder, leaving);
  syncFolder(dirname(folder));
  rmSync(leaving, { recursive: true, force: true });
}

/** Syncs the names in a folder to the disk. Windows does this itself and has no call for folders. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates a folder, and those above it, with access for this user alone. */
export function makePrivateFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Returns the folder for temporary files. It is on the same disk as the store, so that a rename replaces a file as a whole. */
function makeTemporaryFolder(store: string): string {
  const folder = makePrivateFolder(join(store, 'tmp'));
  for (const name of readdirSync(folder)) {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > leftoverMs) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return folder;
}

/** Returns what is wrong with the owner or the mode of a file that only this user may read and write. */
export function judgePrivateFile({ uid, mode }: Stats): string | undefined {
  const own = process.geteuid?.();
  if (own === undefined) return undefined;
  if (uid !== own) return `belongs to the user with the uid ${uid}, and must belong to ${own}`;
  return (mode & 0o077) === 0 ? undefined : `has the mode ${shownMode(mode)}, so that other users can read or write it`;
}

/** Returns what is wrong with a folder in which only this user may create and remove files. */
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
