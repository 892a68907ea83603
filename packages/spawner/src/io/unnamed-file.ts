import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { removeFiles } from './private-directory.js';

/** O_TMPFILE of Linux, which Node does not export: the file never has a name. With O_EXCL, it can never get one. */
const temporaryFile = 0o20200000;

/** File systems and kernels without O_TMPFILE report one of these. */
const unsupported = new Set(['EISDIR', 'EOPNOTSUPP', 'EINVAL']);
let isSupported = process.platform === 'linux';

/** Writes the bytes to a file without a name, and returns a descriptor for reading it. Throws the errno, and then leaves nothing open. */
export function writeUnnamed(directory: string, bytes: Buffer): number {
  const fd = createTemporary(directory, bytes);
  if (fd === undefined) return writeAndRemove(directory, bytes);
  try {
    return openSync(`/proc/self/fd/${fd}`, 'r');
  } finally {
    closeSync(fd);
  }
}

/** No process of this user opens the file for writing by accident, e.g. a hook that writes to /dev/stdin. */
const readOnly = 0o400;

/** As `writeUnnamed`, for a file that another process opens by our descriptor. Ours may then be one for writing, which is faster. */
export function writeForOpening(directory: string, bytes: Buffer): number {
  return createTemporary(directory, bytes) ?? writeAndRemove(directory, bytes);
}

/** As `writeForOpening`. Both processes may write to the file. */
export function writeShared(directory: string, bytes: Buffer): number {
  return createTemporary(directory, bytes, 0o600) ?? writeAndRemove(directory, bytes, 0o600);
}

function createTemporary(directory: string, bytes: Buffer, mode = readOnly): number | undefined {
  if (!isSupported) return undefined;
  let fd: number;
  try {
    fd = openSync(directory, temporaryFile | constants.O_RDWR | constants.O_EXCL, mode);
  } catch (error) {
    if (!unsupported.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    isSupported = false;
    return undefined;
  }
  try {
    writeAll(fd, bytes);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** `writeFileSync` was rejected: it takes twice as long for the short text of most inputs. */
function writeAll(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}

function writeAndRemove(directory: string, bytes: Buffer, mode = readOnly): number {
  // The name is random. A job that could guess the name could create the file first, and then the next job could not start.
  const path = join(directory, `i${randomUUID()}`);
  const writeFd = openSync(path, 'wx', mode);
  let fd: number | undefined;
  try {
    fd = openSync(path, mode === readOnly ? 'r' : 'r+');
    // Other jobs may watch the directory, so the name is removed before the file has content.
    unlinkSync(path);
    writeAll(writeFd, bytes);
    return fd;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    removeFiles([path]);
    throw error;
  } finally {
    closeSync(writeFd);
  }
}
