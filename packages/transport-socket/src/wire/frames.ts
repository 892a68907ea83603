import { isUtf8 } from 'node:buffer';
import { type CompactFrame, compactBytes, isCompact, readCompact, writeCompact } from './compact-frames.js';

/**
 * A frame is its length (four bytes, big-endian), and then that many bytes: JSON in UTF-8, or a compact frame (`CompactFrame`). Lines were rejected: the length can be checked
 * before anything is stored, and a message of 64 MiB need not be searched byte by byte.
 */
const headerBytes = 4;

export function encodeFrame(json: string): Buffer {
  const length = Buffer.byteLength(json);
  const frame = Buffer.allocUnsafe(headerBytes + length);
  frame.writeUInt32BE(length);
  frame.write(json, headerBytes);
  return frame;
}

/** Encodes a compact frame with its message, which is JSON, or empty if the kind has none. */
export function encodeCompactFrame(frame: CompactFrame, message: string): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + compactBytes + Buffer.byteLength(message));
  writeCompactFrame(bytes, 0, frame, message);
  return bytes;
}

/** Up to this length of a message, counting its bytes takes longer than the room that is left free. */
const mostEstimated = 4 * 1024;

/** The maximum size of a compact frame with this message, in bytes. A character takes at most three. */
export function mostCompactBytes(message: string): number {
  const most = message.length <= mostEstimated ? message.length * 3 : Buffer.byteLength(message);
  return headerBytes + compactBytes + most;
}

/** Like `encodeCompactFrame`, into a larger buffer. Returns the number of bytes. */
export function writeCompactFrame(bytes: Buffer, at: number, frame: CompactFrame, message: string): number {
  const start = at + headerBytes;
  writeCompact(bytes, start, frame);
  const length = compactBytes + (message === '' ? 0 : bytes.write(message, start + compactBytes));
  bytes.writeUInt32BE(length, at);
  return headerBytes + length;
}

/** `isChecked`: the value is a frame. Otherwise it is JSON that may be anything. */
export type Decoded = { readonly value: unknown; readonly isChecked?: true } | { readonly problem: string };

const noBytes = Buffer.alloc(0);

/** Assembles frames from chunks of any size. The chunks are joined once per frame, so that a large frame is not copied repeatedly. */
export class FrameDecoder {
  /** In bytes. The length is checked before any byte of the frame is stored. */
  maxFrameBytes: number;
  /** What is not read yet is in this chunk, from `#start` on, and in the later ones. */
  #chunk: Buffer = noBytes;
  #start = 0;
  #later: Buffer[] = [];
  #bytes = 0;
  #awaited: number | undefined;

  constructor(maxFrameBytes: number) {
    this.maxFrameBytes = maxFrameBytes;
  }

  push(chunk: Buffer): void {
    if (this.#bytes > 0) this.#later.push(chunk);
    else {
      this.#chunk = chunk;
      this.#start = 0;
    }
    this.#bytes += chunk.length;
  }

  /**
   * Returns the next complete frame, or undefined if there is none yet. After a problem no further frame can be read, because its
   * position is unknown.
   */
  next(): Decoded | undefined {
    if (this.#awaited === undefined) {
      if (this.#bytes < headerBytes) return undefined;
      const at = this.#take(headerBytes);
      this.#awaited = this.#chunk.readUInt32BE(at);
      if (this.#awaited > this.maxFrameBytes) return { problem: `a frame of ${this.#awaited} bytes; the limit is ${this.maxFrameBytes}` };
    }
    const length = this.#awaited;
    if (this.#bytes < length) return undefined;
    this.#awaited = undefined;
    const start = this.#take(length);
    const end = start + length;
    return isCompact(this.#chunk[start]) && length > 0 ? parseCompact(this.#chunk, start, end) : parse(this.#chunk, start, end);
  }

  /** Makes sure that the next bytes are in one chunk, and passes them. Returns their position in the chunk. */
  #take(length: number): number {
    if (this.#chunk.length - this.#start < length) {
      this.#chunk = Buffer.concat([this.#chunk.subarray(this.#start), ...this.#later]);
      this.#start = 0;
      this.#later = [];
    }
    const at = this.#start;
    this.#start += length;
    this.#bytes -= length;
    return at;
  }
}

function parse(chunk: Buffer, start: number, end: number): Decoded {
  const text = chunk.toString('utf8', start, end);
  // `toString()` replaces invalid bytes by U+FFFD, which `JSON.parse` accepts.
  if (text.includes('\ufffd') && !isUtf8(chunk.subarray(start, end))) return { problem: 'a frame that is not UTF-8' };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'a frame that is not JSON' };
  }
}

function parseCompact(chunk: Buffer, start: number, end: number): Decoded {
  const messageAt = start + compactBytes;
  if (end < messageAt) return { problem: 'a compact frame that is too short' };
  const message = end === messageAt ? { value: undefined } : parse(chunk, messageAt, end);
  if ('problem' in message) return message;
  const value = readCompact(chunk, start, message.value);
  return value === undefined ? { problem: 'an invalid compact frame' } : { value, isChecked: true };
}
