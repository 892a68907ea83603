import { isResponseChannel, isUnsolicited } from '@tenterhook/bus/internal';
import { type BusMessage, isRequestChannel } from '@tenterhook/protocol';
import type { HubPeer, Publication, Server } from './publication.js';

/** The end that a message came from: a connection, or undefined for the process of the hub. */
export type End = HubPeer | undefined;

interface Entry {
  readonly requester: End;
  /** Identifies the publication without keeping its message. This is the set of servers that were tried. */
  readonly publication: object;
  /** The identity of the end whose server has the request. A client keeps its identity when it reconnects. */
  responder: string;
}

/**
 * The maximum number of entries, far more than there are requests in flight. An entry stays if its responder has died and its requester
 * waits without a timeout.
 */
const mostRequests = 65_536;

/** The identity of the process of the hub. The identity of a client is never empty. */
const here = '';

/**
 * The requests in flight, with the end that made each and the end that took it. All ends see the ids of all requests. So the hub lets a
 * cancel pass only from the end that made the request, and an answer only from the end that took it. A request without an id has no entry:
 * it is answered under another id.
 */
export class RequestLedger {
  readonly #entries = new Map<string, Entry>();

  /** Records that a server gets the request. If the id is in use, its entry stays: the request with this id is not affected. */
  assign({ message, publisher, tried: publication }: Publication, { connection }: Server): void {
    const id = idOf(message);
    if (id === undefined || !isRequestChannel(message.type)) return;
    const responder = identityOf(connection);
    const entry = this.#entries.get(id);
    if (entry?.publication === publication) entry.responder = responder;
    if (entry !== undefined) return;
    if (this.#entries.size >= mostRequests) this.#forgetOldest();
    this.#entries.set(id, { requester: publisher?.connection, publication, responder });
  }

  /** Why the publisher may not send this message. Undefined if it may. */
  findRefusal(message: BusMessage, publisher: End): string | undefined {
    const isAnswer = isResponseChannel(message.type);
    if (!isAnswer && message.type !== 'HOOK_EXECUTION_CANCEL') return undefined;
    const id = idOf(message);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (entry === undefined) return undefined;
    const by = identityOf(publisher);
    if (isAnswer && (entry.responder !== by || isUnsolicited(message))) {
      return `The request ${id} was taken by another end of the bus. Only that end can answer it.`;
    }
    if (!isAnswer && identityOf(entry.requester) !== by) {
      return `The request ${id} was made by another end of the bus. Only that end can cancel it.`;
    }
    return undefined;
  }

  /** Removes the entry of a response that was delivered, or of a request that no server took. */
  end({ type, payload }: BusMessage): void {
    const id = isResponseChannel(type) || isRequestChannel(type) ? idOf({ type, payload } as BusMessage) : undefined;
    if (id !== undefined) this.#entries.delete(id);
  }

  /** Removes the requests of a connection that has ended: nothing waits for them any more. */
  forget(connection: HubPeer): void {
    for (const [id, { requester }] of this.#entries) {
      if (requester === connection) this.#entries.delete(id);
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

function identityOf(end: End): string {
  return end?.identity ?? here;
}

function idOf({ payload }: BusMessage): string | undefined {
  const id = (payload as { correlationId?: unknown } | null | undefined)?.correlationId;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
