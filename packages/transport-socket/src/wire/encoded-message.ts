import type { BusMessage } from '@tenterhook/protocol';
import { describeThrown } from '@tenterhook/runtime/text';
import { notJson, tooLarge } from '../socket-error.js';
import { encodeCompactFrame } from './frames.js';

/** A message as JSON. It is encoded once for all connections that receive it. */
export class EncodedMessage {
  readonly json: string;
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
    this.json = json;
  }

  /** The frame for subscribers. All connections share one buffer, so that many slow connections need only one copy in memory. */
  get frame(): Buffer {
    this.#frame ??= encodeCompactFrame({ kind: 'message', isNew: true }, this.json);
    return this.#frame;
  }

  /** The frame for subscribers in a process at which the message has no effect. */
  get unsolicitedFrame(): Buffer {
    this.#unsolicitedFrame ??= encodeCompactFrame({ kind: 'message', isNew: true, unsolicited: true }, this.json);
    return this.#unsolicitedFrame;
  }
}
