import type { BusMessage } from '@tenterhook/protocol';
import { isRequestChannel } from '@tenterhook/protocol/internal';
import { freezeDeeply } from '@tenterhook/runtime/json';
import { createLog } from '@tenterhook/runtime/log';
import { codeOf, describeThrown } from '@tenterhook/runtime/text';
import { failure, isCutOff, isResponseChannel } from './requests/responses.js';
import type { Delivery, Transport } from './transport.js';

const log = createLog('bus');

/** The callbacks for messages that the transport did not deliver. */
export interface Undelivered {
  /** No server received this request. */
  unserved(message: BusMessage): void;

  /** Called if the transport failed to carry this request. It is unknown whether a server received it. */
  failed(message: BusMessage, error: unknown): void;

  /** Called if the transport cannot carry this response. A requester in this process can still receive it. */
  unanswered(message: BusMessage): void;
}

/** Sends everything that a bus publishes. send() never throws and never blocks. */
export class Publisher {
  readonly #transport: Transport;
  readonly #undelivered: Undelivered;
  /** The number of messages that the transport has not carried yet. */
  #carrying = 0;
  /** Called when there is none left. */
  #onIdle = () => {};
  #isClosed = false;

  constructor(transport: Transport, undelivered: Undelivered) {
    this.#transport = transport;
    this.#undelivered = undelivered;
  }

  /** `timeoutMs` is how long the sender of a request waits for the answer. */
  readonly send = (message: BusMessage, timeoutMs?: number): void => {
    if (this.#isClosed) log('%s was not published: the bus is closed', message.type);
    else this.#publish(message, undefined, timeoutMs);
  };

  /** `replaced` is the response that this message replaces. */
  #publish(message: BusMessage, replaced: BusMessage | undefined, timeoutMs?: number): void {
    // Responses are frozen only here. All receivers in this process share one object, and no receiver may change it for the others.
    if (isResponseChannel(message.type)) freezeResponse(message);
    let delivery: Delivery | Promise<Delivery>;
    try {
      delivery = this.#transport.publish(message, timeoutMs);
    } catch (error) {
      this.#fail(message, error, replaced);
      return;
    }
    if (delivery === 'served') return;
    if (delivery === 'unserved') this.#unserved(message);
    else this.#carry(message, delivery, replaced);
  }

  /** Resolves when the transport has carried everything, or after `maxMs`, because a blocked transport must not prevent closing. */
  async flush(maxMs: number): Promise<void> {
    if (this.#carrying === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, maxMs, true);
    });
    // A loop, because the wait can add messages: if no server takes a request, the bus itself answers it, and sends this answer too.
    while (this.#carrying > 0) {
      const idle = new Promise<boolean>((resolve) => {
        this.#onIdle = () => resolve(false);
      });
      if (await Promise.race([idle, tooLate])) break;
    }
    clearTimeout(timer);
  }

  close(): void {
    this.#isClosed = true;
  }

  #carry(message: BusMessage, delivery: Promise<Delivery>, replaced: BusMessage | undefined): void {
    // Counted. A set of the promises was rejected, because each would be added and removed.
    this.#carrying += 1;
    delivery.then(
      (delivered) => {
        this.#carried();
        if (delivered === 'unserved') this.#unserved(message);
      },
      (error: unknown) => {
        this.#carried();
        this.#fail(message, error, replaced);
      },
    );
  }

  #carried(): void {
    this.#carrying -= 1;
    if (this.#carrying === 0) this.#onIdle();
  }

  #unserved(message: BusMessage): void {
    if (isRequestChannel(message.type)) this.#undelivered.unserved(message);
  }

  #fail(message: BusMessage, error: unknown, replaced: BusMessage | undefined): void {
    log('the transport %s did not carry %s: %O', this.#transport.name, message.type, error);
    if (isRequestChannel(message.type)) this.#undelivered.failed(message, error);
    // `refused` means that this bus may not answer the request, so no requester waits for this response.
    if (!isResponseChannel(message.type) || codeOf(error) === 'refused') return;
    // If the transport cannot carry the short replacement, it cannot carry another one either.
    if (replaced === undefined && !this.#isClosed && !isCutOff(error)) this.#publish(this.#inPlaceOf(message, error), message);
    else this.#undelivered.unanswered(replaced ?? message);
  }

  /**
   * Returns a short error response. It replaces a response that is too large or is not JSON, so that the requester does not wait forever.
   */
  #inPlaceOf({ type, payload }: BusMessage, error: unknown): BusMessage {
    const { correlationId } = payload as { correlationId: string };
    const message = `The request was answered, but the transport ${this.#transport.name} could not send the response: ${describeThrown(error)}`;
    return { type, payload: { correlationId, ...failure('internal_error', message) } } as BusMessage;
  }
}

/** Freezes a response. If one of its proxies or getters throws, it is sent unfrozen. */
function freezeResponse(message: BusMessage): void {
  try {
    const { payload } = message as { readonly payload: unknown };
    // The message itself is new, so it need not be tested whether it is frozen.
    Object.freeze(message);
    if (typeof payload === 'object' && payload !== null) freezeDeeply(payload);
  } catch (error) {
    log('a response could not be frozen: %O', error);
  }
}
