import type { BusMessage } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { PendingRequests } from './pending-requests.js';
import type { RequestTable } from './request-table.js';
import { isResponseChannel, withCorrelationId } from './responses.js';

/** The messages that callers send with publish(). Checks whether this bus may publish an answer or a cancel. */
export class PublishedMessages {
  readonly #table: RequestTable;
  readonly #ownRequests: PendingRequests;
  /** The payloads of requests that were sent with publish(). No requester waits for their responses, so they are not in the table. */
  readonly #requests = new WeakSet<object>();

  /** `ownRequests`: the requests of the bus that wait for a response. */
  constructor(table: RequestTable, ownRequests: PendingRequests) {
    this.#table = table;
    this.#ownRequests = ownRequests;
  }

  /** Returns the request with a correlation id. A request without an id is copied, and the copy gets a new id. */
  asRequest(message: BusMessage): BusMessage {
    const payload: unknown = message.payload;
    if (!isPlainObject(payload)) return message;
    const isComplete = payload['correlationId'] !== undefined;
    const sent = isComplete ? payload : withCorrelationId(payload, this.#table.nextId());
    this.#requests.add(sent);
    return isComplete ? message : ({ type: message.type, payload: sent } as BusMessage);
  }

  /**
   * Returns why this bus may not publish a message, or undefined if it may. Every subscriber sees the ids of requests. Without this check,
   * a subscriber could cancel the requests of another bus or answer them, and so bypass guards. Transports between processes make the same
   * check for other processes.
   */
  refuse({ type, payload }: BusMessage): string | undefined {
    if (type !== 'HOOK_EXECUTION_CANCEL' && !isResponseChannel(type)) return undefined;
    const { correlationId } = (payload ?? {}) as { correlationId?: unknown };
    const running = this.#table.running(correlationId);
    if (type !== 'HOOK_EXECUTION_CANCEL') return running && `its request ${correlationId} is answered by the responder that took it`;
    const waiter = this.#table.waiter(correlationId);
    const isOwn =
      waiter !== undefined ? waiter.owner === this.#ownRequests : running === undefined || this.#requests.has(running.payload as object);
    return isOwn ? undefined : `the request ${correlationId} was made by another bus`;
  }
}
