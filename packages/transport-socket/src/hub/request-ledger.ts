import { isCorrelationId, isResponseChannel, isUnsolicited } from '@tenterhook/bus/internal';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { exchanges, isRequestChannel } from '@tenterhook/protocol/internal';
import { idInUse, overloaded, refused, type SocketTransportError } from '../socket-error.js';
import { type HubPeer, identityOf, type Publication, type Server } from './publication.js';

/** The end that a message came from: a connection, or undefined for the process of the hub. */
export type End = HubPeer | undefined;

interface Entry {
  readonly requester: End;
  /** Identifies the publication. It is the publication's set of tried servers, so that the message itself is not kept in memory. */
  readonly publication: object;
  readonly responseChannel: Channel;
  /** The identity of the end whose server received the request, or of the requester, which answers itself if there is no server. */
  responder: string;
}

/** The ids of the requests that one end has made and that have no answer yet. */
interface Places {
  readonly waiting: Set<string>;
  /** The requests that the end has cancelled, the oldest first. The end waits for their answers only for a moment. */
  readonly cancelled: Set<string>;
}

/**
 * The maximum number of requests of one end that wait for an answer, and the maximum number of its cancelled ones. Each end is counted
 * separately, so that no end can use up the limit of others.
 */
const mostRequests = 4096;

/**
 * Records the requests in flight, with the end that made each and the end that the hub passed it to. Every end sees the ids of all
 * requests, and may guess those of later ones, so knowing an id is not enough to answer or cancel:
 * - A request with the id of another request in flight is refused.
 * - An answer is accepted only from the end to which the hub passed the request. It has an effect only at the end that made the request.
 * - A cancel is accepted only from the end that made the request. It has an effect only at the end that received the request.
 * - An answer or a cancel without a request in flight has an effect only at the end that sent it. Other ends receive it without effect.
 *
 * A request without an id has no entry. It is answered under another id, for which no end waits.
 */
export class RequestLedger {
  readonly #entries = new Map<string, Entry>();
  readonly #places = new Map<End, Places>();

  /**
   * Returns an error if the message must be refused. Otherwise records in the publication which end the message affects. Does not change
   * the ledger, because the message may still turn out to be too large.
   */
  judge(publication: Publication): SocketTransportError | undefined {
    const { message } = publication;
    const end = publication.publisher?.connection;
    const id = idOf(message);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (isRequestChannel(message.type)) {
      if (id === undefined) return undefined;
      if (entry !== undefined) return idInUse(id);
      const waiting = this.#places.get(end)?.waiting.size ?? 0;
      return waiting < mostRequests ? undefined : overloaded(mostRequests);
    }
    const isAnswer = isResponseChannel(message.type);
    if (!isAnswer && message.type !== 'HOOK_EXECUTION_CANCEL') return undefined;
    const by = identityOf(end);
    if (entry === undefined) {
      publication.countsAt = by;
      return undefined;
    }
    const requester = identityOf(entry.requester);
    if (isAnswer && (entry.responder !== by || entry.responseChannel !== message.type || isUnsolicited(message))) {
      return refused(`The request ${id} was taken by another end of the bus. Only that end can answer it.`);
    }
    if (!isAnswer && requester !== by) {
      return refused(`The request ${id} was made by another end of the bus. Only that end can cancel it.`);
    }
    publication.countsAt = isAnswer ? requester : entry.responder;
    return undefined;
  }

  /** Records a message that was accepted: adds a request, and removes one that is answered. */
  pass({ message, publisher, tried: publication }: Publication): void {
    const { type } = message;
    const id = idOf(message);
    if (id === undefined) return;
    if (isResponseChannel(type)) this.#remove(id);
    if (type === 'HOOK_EXECUTION_CANCEL') this.#cancel(id);
    if (!isRequestChannel(type)) return;
    const requester = publisher?.connection;
    // If the connection has ended, no end waits for the answer, and the entry would never be removed.
    if (requester?.isOpen === false) return;
    this.#entries.set(id, { requester, publication, responseChannel: exchanges[type].response, responder: identityOf(requester) });
    this.#placesOf(requester).waiting.add(id);
  }

  /** Records which server receives the request. Undefined if none does, so that its requester answers it. */
  assign({ message, publisher, tried }: Publication, server: Server | undefined): void {
    const id = idOf(message);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    // The request may have been forgotten, and its id used again.
    if (entry?.publication !== tried) return;
    entry.responder = identityOf(server === undefined ? publisher?.connection : server.connection);
  }

  /** Removes the requests of a connection that has ended, because nothing waits for their answers any more. */
  forget(connection: HubPeer): void {
    const places = this.#places.get(connection);
    this.#places.delete(connection);
    for (const id of [...(places?.waiting ?? []), ...(places?.cancelled ?? [])]) this.#entries.delete(id);
  }

  /**
   * Moves a request from the waiting ones to the cancelled ones. Its entry stays, because its responder may still report the outcomes so
   * far. If there are too many cancelled ones, the oldest is removed, and an answer to it then has no effect.
   */
  #cancel(id: string): void {
    const places = this.#placesOf(this.#entries.get(id)?.requester);
    if (!places.waiting.delete(id)) return;
    places.cancelled.add(id);
    const [oldest] = places.cancelled;
    if (places.cancelled.size > mostRequests && oldest !== undefined) this.#remove(oldest);
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    const places = this.#placesOf(entry.requester);
    places.waiting.delete(id);
    places.cancelled.delete(id);
  }

  #placesOf(end: End): Places {
    const found = this.#places.get(end);
    if (found !== undefined) return found;
    const places = { waiting: new Set<string>(), cancelled: new Set<string>() };
    this.#places.set(end, places);
    return places;
  }
}

function idOf({ payload }: BusMessage): string | undefined {
  const id = (payload as { correlationId?: unknown } | null | undefined)?.correlationId;
  return isCorrelationId(id) ? id : undefined;
}
