import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { sha256 } from '../../pin/canonical-json.js';
import { isSameStamp, type Stamp } from './stamp.js';

/** The bytes of a file, and the stamp of the file from which they were read. */
export interface Content {
  readonly stamp: NonNullable<Stamp>;
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** How often a file is read again if it changes while it is read. */
const maxTries = 3;

/**
 * Reads a regular file of at most `maxBytes`. The path must have no links. Returns undefined if the file is larger, not a regular file,
 * unreadable, or keeps changing.
 *
 * The file is opened without following a link and without waiting, because a link or a pipe may have replaced it. The bytes are counted
 * while they are read, because the size of some files is 0 or grows.
 */
export function readContent(path: string, maxBytes: number): Content | undefined {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const content = readOnce(path, maxBytes);
    if (content !== 'changed') return content;
  }
  return undefined;
}

function readOnce(path: string, maxBytes: number): Content | 'changed' | undefined {
  let descriptor: number;
  try {
    // Windows has neither these flags nor the kinds of files for which they are needed.
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
      // The whole file has been read. If it grows now, the check of its stamp below shows this. Files that the system generates have the
      // size 0, so they are read to their end.
      if (total > 0 && total === Number(stamp.size)) break;
    }
    if (!isSameStamp(stamp, fstatSync(descriptor, { bigint: true }))) return 'changed';
    const bytes = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
    return { stamp, sha256: sha256(bytes), bytes };
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
