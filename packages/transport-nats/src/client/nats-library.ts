import type { ConnectionOptions } from '@nats-io/transport-node';
import { NatsTransportError } from '../nats-error.js';

export type { ConnectionOptions, Msg, MsgHdrs, NatsConnection, Subscription } from '@nats-io/transport-node';

/** The names of the library that this package uses. */
export type NatsLibrary = Pick<
  typeof import('@nats-io/transport-node'),
  | 'connect'
  | 'credsAuthenticator'
  | 'MsgHdrsImpl'
  | 'nkeyAuthenticator'
  | 'tokenAuthenticator'
  | 'usernamePasswordAuthenticator'
  | 'PermissionViolationError'
  | 'AuthorizationError'
  | 'RequestError'
>;

export type Authenticator = NonNullable<ConnectionOptions['authenticator']>;

/** Loads the library. Programs that never connect do not load it. */
export async function loadNatsLibrary(): Promise<NatsLibrary> {
  try {
    return await import('@nats-io/transport-node');
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const what = 'The package @nats-io/transport-node cannot be found.';
    throw new NatsTransportError('missing_library', what, 'Install it: npm install @nats-io/transport-node.', { cause });
  }
}

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
