import { randomUUID } from 'node:crypto';
import type { BusMessage } from '@tenterhook/protocol';
import { describeThrown } from '@tenterhook/runtime/text';
import type { Msg } from '../client/nats-library.js';
import { log, type NatsLink } from '../client/nats-link.js';
import { disconnected, NatsTransportError, streamFull } from '../nats-error.js';
import { encodeFields } from '../wire/codec.js';
import { headerNames } from '../wire/headers.js';
import type { CheckedLargeMessages } from './large-message-options.js';
import { type ObjectStore, openBucket } from './object-library.js';

/** What is sent in place of a large message: a body with its size, and the header with the name of its object. */
export interface ObjectReference {
  readonly data: Uint8Array;
  readonly header: readonly [string, string];
}

/** Keeps messages that are larger than the limit in an object store of the server, and sends their names. */
export class LargeMessages {
  readonly #link: NatsLink;
  readonly #plan: CheckedLargeMessages;
  readonly #stored = new WeakMap<BusMessage, ObjectReference>();
  readonly #storing = new Set<Promise<void>>();
  #store: ObjectStore | undefined;

  constructor(link: NatsLink, plan: CheckedLargeMessages) {
    this.#link = link;
    this.#plan = plan;
  }

  /** Opens the bucket, and creates it if it does not exist. */
  async open(): Promise<void> {
    this.#store = await openBucket(this.#link.connection, this.#plan.bucket, this.#plan.options);
  }

  /** What is sent in place of a message that `keep()` has stored. */
  referenceTo(message: BusMessage): ObjectReference | undefined {
    return this.#stored.get(message);
  }

  /** Stores a message if it is larger than the limit. Returns undefined if it is not. Rejects with a NatsTransportError. */
  keep(message: BusMessage): Promise<void> | undefined {
    const bytes = this.#oversized(message);
    if (bytes === undefined) return undefined;
    const storing = this.#put(bytes).then((reference) => void this.#stored.set(message, reference));
    this.#storing.add(storing);
    const forget = () => void this.#storing.delete(storing);
    storing.then(forget, forget);
    return storing;
  }

  /** Resolves when nothing is being stored, or when the time is up. */
  async settled(timeoutMs: number): Promise<void> {
    if (this.#storing.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([Promise.allSettled(this.#storing), tooLate]);
    clearTimeout(timer);
  }

  /**
   * Calls the function with the content of a message: at once, or when it is read from the object store. If it cannot be read, the function
   * is called with data that is not a message.
   */
  read(message: Msg, use: (data: Uint8Array) => void): void {
    const name = message.headers?.get(headerNames.object);
    if (name === undefined || name === '') {
      use(message.data);
      return;
    }
    this.#get(name).then(use, (error: unknown) => {
      log('the object of a message on %s cannot be read: %s', message.subject, describeThrown(error));
      use(new Uint8Array());
    });
  }

  /** Returns the encoded message if it is larger than the limit. What cannot be encoded is refused later, with its reason. */
  #oversized({ type, payload }: BusMessage): Uint8Array | undefined {
    try {
      const bytes = Buffer.from(JSON.stringify({ type, payload }));
      return bytes.length > this.#link.limit.maxMessageBytes ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  async #put(bytes: Uint8Array): Promise<ObjectReference> {
    const { maxObjectBytes, bucket } = this.#plan;
    if (bytes.length > maxObjectBytes) {
      const what = `The message has ${bytes.length} bytes. The limit of the object store is ${maxObjectBytes}.`;
      throw new NatsTransportError('too_large', what, 'Send less, or raise largeMessages.maxObjectBytes.');
    }
    const name = randomUUID();
    try {
      await this.#opened().putBlob({ name }, bytes);
    } catch (error) {
      if (!this.#link.isOpen) throw disconnected(error);
      throw streamFull(`of the object store ${bucket}`, describeThrown(error));
    }
    return { data: encodeFields({ object: name, bytes: bytes.length }), header: [headerNames.object, name] };
  }

  async #get(name: string): Promise<Uint8Array> {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(name)) throw new Error('its name is not valid');
    const store = this.#opened();
    const info = await store.info(name);
    if (info === null) throw new Error('there is no such object');
    // Another program may have stored it.
    if (info.size > this.#plan.maxObjectBytes) throw new Error(`it has ${info.size} bytes, which is more than the limit`);
    const bytes = await store.getBlob(name);
    if (bytes === null) throw new Error('it was removed');
    return bytes;
  }

  #opened(): ObjectStore {
    if (this.#store === undefined) throw new TypeError('the object store is not open');
    return this.#store;
  }
}
