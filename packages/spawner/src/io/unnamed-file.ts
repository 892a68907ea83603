import { randomUUID } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFiles } from './private-directory.js';

/**
 * Writes the bytes to a file, removes its name, and returns a descriptor for reading it. Throws the errno of the file system, and then
 * leaves nothing open.
 */
export function writeUnnamed(directory: string, bytes: Buffer): number {
  // The name is random. A job that could guess the name could create the file first, and then the next job could not start.
  const path = join(directory, `i${randomUUID()}`);
  const writeFd = openSync(path, 'wx', 0o400);
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    // Other jobs may watch the directory, so the name is removed before the file has content.
    unlinkSync(path);
    writeFileSync(writeFd, bytes);
    return fd;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    removeFiles([path]);
    throw error;
  } finally {
    closeSync(writeFd);
  }
}
