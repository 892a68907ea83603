import type { BusMessage } from '@tenterhook/protocol';
import type { LargeMessages } from '../objects/large-messages.js';
import { decodeFields, encodeFields, encodeMessage } from '../wire/codec.js';
import { headerNames, headersOf } from '../wire/headers.js';
import type { ReplyKind, Subjects } from '../wire/subjects.js';
import type { ClientListeners } from './client-listeners.js';
import type { Msg, MsgHdrs } from './nats-library.js';
import type { NatsLink } from './nats-link.js';

/** The name of a worker, the token of a request there. */
export interface Taken {
  readonly worker: string;
  readonly token: string;
}

/** What the requests and the answers of a client share: the connection, the subjects and the listeners. */
export class ClientWire {
  readonly link: NatsLink;
  readonly subjects: Subjects;
  readonly listeners: ClientListeners;
  /** The name of this client among workers: two tokens of its subjects. */
  readonly name: string;
  readonly #session: string;
  readonly #large: LargeMessages | undefined;

  constructor(
    link: NatsLink,
    subjects: Subjects,
    listeners: ClientListeners,
    { client, session, large }: { readonly client: string; readonly session: string; readonly large?: LargeMessages | undefined },
  ) {
    this.link = link;
    this.subjects = subjects;
    this.listeners = listeners;
    this.name = `${client}.${session}`;
    this.#session = session;
    this.#large = large;
  }

  /** Throws if the message cannot be sent. */
  encode(message: BusMessage): Uint8Array {
    return this.#large?.referenceTo(message)?.data ?? encodeMessage(message, this.link.limit);
  }

  /** Whether an object store has the content of the message. */
  isStored(message: BusMessage): boolean {
    return this.#large?.referenceTo(message) !== undefined;
  }

  /** Calls the function with the content of a message, which an object store may have. */
  read(message: Msg, use: (data: Uint8Array) => void): void {
    if (this.#large === undefined) use(message.data);
    else this.#large.read(message, use);
  }

  /** Sends a message that needs no reply. */
  send(subject: string, message: BusMessage, data: Uint8Array): void {
    this.link.send(subject, data, this.headersOf(message));
  }

  /** Returns the headers of a message. They may be sent several times. `more` is added to them. */
  headersOf(message: BusMessage, timeoutMs?: number, more: readonly (readonly [string, string])[] = []): MsgHdrs {
    return this.link.headersOf([...this.pairsOf(message, timeoutMs), ...more]);
  }

  /** Returns the headers of a message as pairs. */
  pairsOf(message: BusMessage, timeoutMs?: number): readonly (readonly [string, string])[] {
    const reference = this.#large?.referenceTo(message);
    const pairs = headersOf(message, this.#session, timeoutMs);
    return reference === undefined ? pairs : [...pairs, reference.header];
  }

  /** Sends what is addressed to no client. */
  sendToLog(message: BusMessage, data: Uint8Array, own = false, headers = this.headersOf(message)): void {
    this.link.send(this.subjects.log(message, own), data, headers);
  }

  /** Reports to a requester what became of its request. */
  reply(replies: string, kind: ReplyKind, fields: Readonly<Record<string, unknown>> = {}): void {
    this.link.send(`${replies}.${kind}`, encodeFields(fields));
  }

  isEcho(message: Msg): boolean {
    return message.headers?.get(headerNames.from) === this.#session;
  }
}

/** Reads the report of a worker that it has received a request. */
export function readTaken(data: Uint8Array): Taken | undefined {
  const { worker, token } = decodeFields(data) ?? {};
  return typeof worker === 'string' && typeof token === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(token) ? { worker, token } : undefined;
}
