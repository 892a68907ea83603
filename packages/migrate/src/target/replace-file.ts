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
 * Replaces a file as a whole, or creates it and its folders. A program that reads the file finds either the old text or the new one. Throws
 * if the file has changed since the new text was computed, and rethrows errors of the file system. It then leaves no temporary file.
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

/**
 * Creates the temporary file. Until it is complete and has its final mode, only its owner can read it, because settings may contain secrets
 * and the replaced file may be private.
 */
function writeNew(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    // Without this, a crash could leave an empty settings file.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Gives the temporary file its name by a link, which fails if the name exists. A rename would replace a file that was created in the
 * meantime.
 */
function putNew(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw changedMeanwhile();
    // Some file systems (FAT, some network shares) have no hard links. There a rename is the only way.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
    renameSync(temporary, file);
    return;
  }
  rmSync(temporary);
}

function changedMeanwhile(): Error {
  return new TenterhookError('changed_meanwhile', 'another process changed it in the meantime; run the command again');
}

function keepOwner(file: string, temporary: string): void {
  const { mode, uid, gid } = statSync(file);
  try {
    chownSync(temporary, uid, gid);
  } catch {
    // This happens if the old file belongs to another user. The new file then belongs to our user.
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
