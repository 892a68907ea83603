import { isUtf8 } from 'node:buffer';

/** The text of one output of a job, and how much was written. */
export interface OutputText {
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
  readonly invalidUtf8: boolean;
}

/** The size of the first buffer. Most hooks print less. Node takes a small buffer from a pool, which takes a fraction of the time. */
const firstBytes = 1024;

const [openingBrace, closingBrace] = Buffer.from('{}');
const blanks: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));

/** Nothing is ever written to it, so all outputs share it. */
const empty = Buffer.alloc(0);

/**
 * A full buffer is replaced by one that is this many times larger. The garbage collector frees the old buffers later. With a factor of 2,
 * all old buffers of an output would together be as large as the limit.
 */
const growth = 4;

/** `ignoreBOM` keeps a byte order mark in the text. The code that parses the text decides what to do with the mark. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Keeps the first `cap` bytes of one output of one process, and counts all of them (field failure 40). */
export class BoundedOutput {
  #cap: number;
  #kept: Buffer = empty;
  #keptBytes = 0;
  #bytes = 0;

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** Bytes written so far, kept or not. */
  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes > this.#cap;
  }

  /** Whether the kept text begins with a brace and does not end with one. Blanks do not count. */
  get isUnfinishedObject(): boolean {
    const kept = this.#kept.subarray(0, this.#keptBytes);
    const first = kept.findIndex((byte) => !blanks.has(byte));
    return kept[first] === openingBrace && kept[kept.findLastIndex((byte) => !blanks.has(byte))] !== closingBrace;
  }

  /**
   * Adds the first `chunkBytes` bytes of the chunk. Copies the bytes that it keeps, because the caller may reuse the chunk. Allocates
   * nothing for discarded bytes, because a process may write gigabytes.
   */
  add(chunk: Buffer, chunkBytes: number): void {
    this.#bytes += chunkBytes;
    const length = Math.min(chunkBytes, this.#cap - this.#keptBytes);
    if (length <= 0) return;
    this.#makeRoom(this.#keptBytes + length);
    chunk.copy(this.#kept, this.#keptBytes, 0, length);
    this.#keptBytes += length;
  }

  /**
   * Decodes the kept bytes in one piece. A character may be split between two chunks, and decoding each chunk alone would destroy it (field
   * failure 41).
   */
  read(most: number): OutputText {
    const kept = this.#kept.subarray(0, Math.min(most, this.#keptBytes));
    const truncated = kept.length < this.#bytes;
    const whole = truncated ? withoutCutCharacter(kept) : kept;
    const invalidUtf8 = !isUtf8(whole);
    // For valid bytes both give the same text, and a buffer gives it faster.
    return { text: invalidUtf8 ? decoder.decode(whole) : whole.toString(), bytes: this.#bytes, truncated, invalidUtf8 };
  }

  /** Drops the kept bytes. Later output is only counted. */
  forgetText(): void {
    this.#kept = empty;
    this.#keptBytes = 0;
    this.#cap = 0;
  }

  #makeRoom(needed: number): void {
    if (needed <= this.#kept.length) return;
    const room = Buffer.allocUnsafe(Math.min(this.#cap, Math.max(firstBytes, needed, growth * this.#kept.length)));
    this.#kept.copy(room, 0, 0, this.#keptBytes);
    this.#kept = room;
  }
}

/**
 * Removes the last character if the limit cut off a part of its bytes. Invalid bytes that the process itself wrote are kept, because they
 * are reported.
 */
export function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}
