import type { BusMessage } from '@tenterhook/protocol';
import { describeThrown } from '@tenterhook/runtime/text';
import { notJson, tooLarge } from './socket-error.js';
import { encodeFrame } from './wire/frames.js';

/** A message as JSON, made once for all connections that get it. */
export class EncodedMessage {
  readonly #json: string;
  #frame: Buffer | undefined;

  /** Throws a SocketTransportError, `not_json` or `too_large`, where the message cannot travel. */
  constructor({ type, payload }: BusMessage, maxMessageBytes: number) {
    let json: string;
    try {
      json = JSON.stringify({ type, payload });
    } catch (error) {
      throw notJson(error, describeThrown(error));
    }
    // The first comparison spares counting the bytes of nearly every message.
    if (json.length > maxMessageBytes / 3) {
      const bytes = Buffer.byteLength(json);
      if (bytes > maxMessageBytes) throw tooLarge(bytes, maxMessageBytes);
    }
    this.#json = json;
  }

  /** For who only subscribes: the same bytes for all of them, so that many connections that are slow hold one copy. */
  get frame(): Buffer {
    this.#frame ??= encodeFrame(`{"kind":"message","isNew":true,"message":${this.#json}}`);
    return this.#frame;
  }

  /** For the server whose turn it is. `isNew` is false where the subscribers of its connection have had the message. */
  frameWithTurn(isNew: boolean, turn: number, server: number): Buffer {
    return encodeFrame(`{"kind":"message","isNew":${isNew},"turn":${turn},"server":${server},"message":${this.#json}}`);
  }

  publishFrame(id: number): Buffer {
    return encodeFrame(`{"kind":"publish","id":${id},"message":${this.#json}}`);
  }
}
