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

/** The value of a frame, or why the bytes are not a frame. */
export type Decoded = { readonly value: unknown } | { readonly problem: string };

/** Assembles frames from chunks of any size. Joins the chunks once per frame, so that a large frame is not copied repeatedly. */
export class FrameDecoder {
  /** The maximum size of a frame in bytes. The length is checked before any byte of the frame is stored. */
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

  /**
   * Returns the next complete frame, or undefined if there is none yet. After a problem no further frames can be read, because the position
   * of the next one is unknown.
   */
  next(): Decoded | undefined {
    if (this.#awaited === undefined) {
      this.#awaited = this.#take(headerBytes)?.readUInt32BE();
      if (this.#awaited === undefined) return undefined;
      if (this.#awaited > this.maxFrameBytes) return { problem: `a frame of ${this.#awaited} bytes; the limit is ${this.maxFrameBytes}` };
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
  // toString() replaces invalid bytes by characters that JSON.parse accepts, so the bytes are checked first.
  if (!isUtf8(body)) return { problem: 'a frame that is not UTF-8' };
  try {
    return { value: JSON.parse(body.toString('utf8')) };
  } catch {
    return { problem: 'a frame that is not JSON' };
  }
}

/** A message as JSON, encoded once for all connections that receive it. */
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
    // A character takes at most three bytes. For nearly every message this comparison is enough, and the bytes need not be counted.
    if (json.length > maxMessageBytes / 3) {
      const bytes = Buffer.byteLength(json);
      if (bytes > maxMessageBytes) throw tooLarge(bytes, maxMessageBytes);
    }
    this.#json = json;
  }

  /** The frame for subscribers. All of them share one buffer, so that many slow connections need only one copy in memory. */
  get frame(): Buffer {
    this.#frame ??= encodeFrame(`{"kind":"message","isNew":true,"message":${this.#json}}`);
    return this.#frame;
  }

  /** The frame for the subscribers of an end at which the message has no effect. */
  get unsolicitedFrame(): Buffer {
    this.#unsolicitedFrame ??= encodeFrame(`{"kind":"message","isNew":true,"unsolicited":true,"message":${this.#json}}`);
    return this.#unsolicitedFrame;
  }

  /**
   * The frame for a connection whose server receives the message. `isNew` is false if the subscribers of this connection have already
   * received it.
   */
  frameWithTurn(isNew: boolean, turn: number, server: number): Buffer {
    return encodeFrame(`{"kind":"message","isNew":${isNew},"turn":${turn},"server":${server},"message":${this.#json}}`);
  }

  publishFrame(id: number, isUnsolicited: boolean): Buffer {
    return encodeFrame(`{"kind":"publish","id":${id},${isUnsolicited ? '"unsolicited":true,' : ''}"message":${this.#json}}`);
  }
}
