import { writeSync } from 'node:fs';

/**
 * Writes all bytes at the end of a file, and returns their number. The system may write only a part of them at once. Throws the error of the
 * system.
 */
export function writeAll(descriptor: number, bytes: Buffer): number {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
  return bytes.length;
}
