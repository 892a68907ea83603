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
 * Replaces a file as a whole, or creates it and its folders. A program that reads the file at any time receives the old text or the
 * new text. Throws if the text of the file is no longer `before`, and on errors of the file system. No temporary file is left.
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

/** Creates the temporary file. At first only its owner can read it, because settings may contain secrets. */
function writeNew(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    // Without this sync, a crash could leave an empty settings file.
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Gives the temporary file its final name by a hard link, which fails if this name exists. Renaming was rejected: it would replace
 * a file that another process created meanwhile.
 */
function putNew(temporary: string, file: string): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw changedMeanwhile();
    // FAT and some network shares have no hard links, so the file is renamed.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
    renameSync(temporary, file);
    return;
  }
  rmSync(temporary);
}

function changedMeanwhile(): Error {
  return new TenterhookError('changed_meanwhile', 'another process changed the file in the meantime; run the command again');
}

function keepOwner(file: string, temporary: string): void {
  const { mode, uid, gid } = statSync(file);
  try {
    chownSync(temporary, uid, gid);
  } catch {
    // Only root can give a file to another user. So the new file may belong to the user of this process.
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
