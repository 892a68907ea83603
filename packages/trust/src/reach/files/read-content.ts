import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isSameStamp, type Stamp, statsOf } from './stamp.js';

/** The bytes of a file, and the stamp of the file from which they were read. */
export interface Content {
  readonly stamp: NonNullable<Stamp>;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** How often a file is read again that changes while it is read. */
const maxTries = 3;

/**
 * Reads a regular file of at most `maxBytes`. The path must have no links. It is opened without following a link and without waiting, so a
 * pipe or device that was put in its place is not read, and the bytes are counted, because the size of some files is 0 or grows. Returns
 * undefined if the file is larger, no regular file, unreadable, or keeps changing.
 */
export function readContent(path: string, maxBytes: number): Content | undefined {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const content = readOnce(path, maxBytes);
    if (content === undefined || isSameStamp(content.stamp, statsOf(path))) return content;
  }
  return undefined;
}

function readOnce(path: string, maxBytes: number): Content | undefined {
  let descriptor: number;
  try {
    // Windows has neither these flags nor the kinds of files that they protect from.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
  } catch {
    return undefined;
  }
  try {
    const stamp = fstatSync(descriptor, { bigint: true });
    if (!stamp.isFile() || stamp.size > BigInt(maxBytes)) return undefined;
    const chunks: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const buffer = Buffer.allocUnsafe(Math.min(Math.max(Number(stamp.size) - total, 0) + 1, maxBytes + 1 - total));
      const read = readSync(descriptor, buffer, 0, buffer.length, null);
      if (read === 0) break;
      chunks.push(buffer.subarray(0, read));
      total += read;
      if (total > maxBytes) return undefined;
    }
    const bytes = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
    return { stamp, sha256: createHash('sha256').update(bytes).digest('hex'), bytes };
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
