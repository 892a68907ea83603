import type { NatsLibrary } from './nats-library.js';

/**
 * Returns a class of headers whose bytes are built once, for all messages that have them. With the methods of the library, each name is
 * normalised letter by letter, and the bytes are built again for each message.
 */
export function encodedHeadersOf({ MsgHdrsImpl }: NatsLibrary) {
  return class EncodedHeaders extends MsgHdrsImpl {
    readonly bytes: Uint8Array;

    /** The values have no line breaks. */
    constructor(pairs: readonly (readonly [string, string])[]) {
      super();
      let text = 'NATS/1.0\r\n';
      for (const [name, value] of pairs) text += `${name}: ${value}\r\n`;
      this.bytes = Buffer.from(`${text}\r\n`);
    }

    override encode(): Uint8Array {
      return this.bytes;
    }
  };
}
