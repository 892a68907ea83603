import { isUtf8 } from 'node:buffer';

/** A frame is its length, four bytes with the highest first, and so many bytes of JSON in UTF-8. */
const headerBytes = 4;

export function encodeFrame(json: string): Buffer {
  const length = Buffer.byteLength(json);
  const frame = Buffer.allocUnsafe(headerBytes + length);
  frame.writeUInt32BE(length);
  frame.write(json, headerBytes);
  return frame;
}

/** What a frame was, or why what came is none. */
export type Decoded = { readonly value: unknown } | { readonly problem: string };

/** Puts frames together again, from pieces of any size. Pieces are joined once for each frame, so that a large one is not copied over and over. */
export class FrameDecoder {
  /** Bytes of the longest frame. Announced lengths are checked before anything is kept. */
  maxFrameBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #awaited: number | undefined;

  constructor(maxFrameBytes: number) {
    this.maxFrameBytes = maxFrameBytes;
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  /** The next frame that is complete. After a problem nothing that follows can be trusted. */
  next(): Decoded | undefined {
    if (this.#awaited === undefined) {
      this.#awaited = this.#take(headerBytes)?.readUInt32BE();
      if (this.#awaited === undefined) return undefined;
      if (this.#awaited > this.maxFrameBytes) return { problem: `a frame of ${this.#awaited} bytes; ${this.maxFrameBytes} is the most` };
    }
    const body = this.#take(this.#awaited);
    if (body === undefined) return undefined;
    this.#awaited = undefined;
    return parse(body);
  }

  #take(length: number): Buffer | undefined {
    if (this.#bytes < length) return undefined;
    let first = this.#pieces[0] ?? Buffer.alloc(0);
    if (first.length < length) {
      first = Buffer.concat(this.#pieces);
      this.#pieces = [first];
    }
    this.#bytes -= length;
    if (first.length === length) this.#pieces.shift();
    else this.#pieces[0] = first.subarray(length);
    return first.subarray(0, length);
  }
}

function parse(body: Buffer): Decoded {
  // JSON.parse would take the replacement characters that toString() puts in the place of bytes that are none.
  if (!isUtf8(body)) return { problem: 'a frame that is no UTF-8' };
  try {
    return { value: JSON.parse(body.toString('utf8')) };
  } catch {
    return { problem: 'a frame that is no JSON' };
  }
}
