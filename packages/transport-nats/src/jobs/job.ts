import type { BusMessage } from '@tenterhook/protocol';
import { freezeDeeply } from '@tenterhook/runtime/json';
import type { Msg } from '../client/nats-library.js';
import type { NatsLink } from '../client/nats-link.js';

/** The channel whose requests a stream can keep. */
export const keptChannel = 'HOOK_EXECUTION_REQUEST';

/** What a worker reports about a delivery. */
const [acknowledged, notAcknowledged, inProgress, terminated] = ['+ACK', '-NAK', '+WPI', '+TERM'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];

/** A request that a stream has delivered to this worker. Until the worker settles it, the stream may deliver it again elsewhere. */
export class Job {
  readonly message: Msg;
  /** How often the stream has delivered the request so far, this time included. */
  readonly deliveries: number;
  readonly #link: NatsLink;
  readonly #onSettled: (job: Job) => void;
  #isSettled = false;

  constructor(link: NatsLink, message: Msg, onSettled: (job: Job) => void) {
    this.message = message;
    this.deliveries = deliveriesOf(message.reply);
    this.#link = link;
    this.#onSettled = onSettled;
  }

  /** The request is answered, and the stream removes it. */
  acknowledge(): void {
    this.#settle(acknowledged);
  }

  /** The stream delivers the request again, now. */
  giveBack(): void {
    this.#settle(notAcknowledged);
  }

  /** The stream removes the request, which cannot be carried out. */
  discard(): void {
    this.#settle(terminated);
  }

  /** Another delivery of the same request takes the place of this one. */
  forget(): void {
    this.#settle(undefined);
  }

  /** The worker still works on the request. */
  keep(): void {
    if (!this.#isSettled && this.#link.isOpen) this.#link.send(this.message.reply as string, inProgress);
  }

  #settle(report: Buffer | undefined): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    // Without a connection the report is lost, and the request is delivered again.
    if (report !== undefined && this.#link.isOpen) this.#link.send(this.message.reply as string, report);
    this.#onSettled(this);
  }
}

/** Whether a message is a delivery of a stream. */
export function isDelivery({ reply }: Msg): boolean {
  return reply?.startsWith('$JS.ACK.') === true;
}

/** The reply subject of a delivery has the tokens `$JS.ACK.<stream>.<consumer>.<deliveries>.…`; newer servers add two before the stream. */
function deliveriesOf(reply: string | undefined): number {
  const tokens = reply?.split('.') ?? [];
  const count = Number(tokens.length > 9 ? tokens[6] : tokens[4]);
  return Number.isInteger(count) ? count : 1;
}

/** What is answered to a request that may be what ends its workers. */
export function deliveredTooOften(deliveries: number): string {
  return `The request was delivered ${deliveries} times, and no worker has answered it, so it is not carried out again. Find out whether its hooks end the workers.`;
}

/** Returns an answer with the number of deliveries of its request, if that is higher than what the answer has. */
export function withDeliveries(message: BusMessage, deliveries: number): BusMessage {
  const { deliveries: known = 0 } = message.payload as { readonly deliveries?: number };
  return deliveries <= known ? message : freezeDeeply({ type: message.type, payload: { ...message.payload, deliveries } } as BusMessage);
}
