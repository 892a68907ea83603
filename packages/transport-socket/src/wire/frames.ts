import { isUtf8 } from 'node:buffer';
import type { BusMessage } from '@tenterhook/protocol';
import { describeThrown } from '@tenterhook/runtime/text';
import { notJson, tooLarge } from '../socket-error.js';

/**
 * A frame is its length (four bytes, big-endian), and then that many bytes of JSON in UTF-8. Lines were rejected: the length can be checked
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

export type Decoded = { readonly value: unknown } | { readonly problem: string };

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
    return parse(this.#chunk, start, start + length);
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

/** A message as JSON. It is encoded once for all connections that receive it. */
export class EncodedMessage {
  readonly #json: string;
  #frame: Buffer | undefined;
  #unsolicitedFrame: Buffer | undefined;

  /** Throws a SocketTransportError, `not_json` or `too_large`, if the message cannot be sent. */
  constructor({ type, payload }: BusMessage, maxMessageBytes: number) {
    let json: string;
    try {
      json = JSON.stringify({ type, payload });
    } catch (error) {
      throw notJson(error, describeThrown(error));
    }
    // A character takes at most three bytes. For nearly every message this comparison is enough, so its bytes need not be counted.
    if (json.length > maxMessageBytes / 3) {
      const bytes = Buffer.byteLength(json);
      if (bytes > maxMessageBytes) throw tooLarge(bytes, maxMessageBytes);
    }
    this.#json = json;
  }

  /** The frame for subscribers. All connections share one buffer, so that many slow connections need only one copy in memory. */
  get frame(): Buffer {
    this.#frame ??= encodeFrame(`{"kind":"message","isNew":true,"message":${this.#json}}`);
    return this.#frame;
  }

  /** The frame for subscribers in a process at which the message has no effect. */
  get unsolicitedFrame(): Buffer {
    this.#unsolicitedFrame ??= encodeFrame(`{"kind":"message","isNew":true,"unsolicited":true,"message":${this.#json}}`);
    return this.#unsolicitedFrame;
  }

  /**
   * The frame for a connection whose server receives the message. `isNew` is false if the subscribers of this connection already
   * have the message.
   */
  frameWithTurn(isNew: boolean, turn: number, server: number): Buffer {
    return encodeFrame(`{"kind":"message","isNew":${isNew},"turn":${turn},"server":${server},"message":${this.#json}}`);
  }

  publishFrame(id: number, isUnsolicited: boolean): Buffer {
    return encodeFrame(`{"kind":"publish","id":${id},${isUnsolicited ? '"unsolicited":true,' : ''}"message":${this.#json}}`);
  }
}
