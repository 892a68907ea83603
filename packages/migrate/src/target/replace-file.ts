import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TenterhookError } from '@tenterhook/protocol';

/**
 * Replaces a file as a whole, or makes it with its folders: a reader finds the old text or the new one at any time. Refuses a file that is no
 * longer what it was when the new text was made. Throws the error of the file system, and leaves no temporary file then.
 */
export function replaceFile(file: string, before: string | undefined, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `.${basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeNew(temporary, text);
    if (before === undefined) chmodSync(temporary, 0o666 & ~process.umask());
    else keepOwner(file, temporary);
    if (textOf(file) !== before) throw changedMeanwhile();
    if (before === undefined) putNew(temporary, file);
    else renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Readable by its owner alone until it is complete and has its mode: settings may hold secrets, and the file that is replaced may be private. */
function writeNew(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    // Or a crash could leave an empty file in the place of the settings.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A rename would replace what somebody made since it was looked for; a second name is refused where there is one. */
function putNew(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw changedMeanwhile();
    // Some file systems have no second names (FAT, some shares).
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
    renameSync(temporary, file);
    return;
  }
  rmSync(temporary);
}

function changedMeanwhile(): Error {
  return new TenterhookError('changed_meanwhile', 'it was changed by somebody else meanwhile; run the command again');
}

function keepOwner(file: string, temporary: string): void {
  const { mode, uid, gid } = statSync(file);
  try {
    chownSync(temporary, uid, gid);
  } catch {
    // Another's file in a folder of ours: it becomes ours.
  }
  chmodSync(temporary, mode & 0o7777);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
