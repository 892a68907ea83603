import { isCorrelationId, isResponseChannel, isUnsolicited } from '@tenterhook/bus/internal';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { exchanges, isRequestChannel } from '@tenterhook/protocol/internal';
import { idInUse, overloaded, refused, type SocketTransportError } from '../socket-error.js';
import { type HubPeer, identityOf, type Publication, type Server } from './publication.js';

/** The end that a message came from: a connection, or undefined for the process of the hub. */
export type End = HubPeer | undefined;

interface Entry {
  readonly requester: End;
  /** Identifies the publication by its set of tried servers, so that the message is not kept in memory. */
  readonly publication: object;
  readonly responseChannel: Channel;
  /**
   * The identity of the end whose server received the request. If there was no server, the requester answers itself, and this is the
   * identity of the requester.
   */
  responder: string;
}

/** The ids of the requests that one end has made and that have no answer yet. */
interface Places {
  readonly waiting: Set<string>;
  /** The requests that the end has cancelled, oldest first. The end waits for their answers only for a moment. */
  readonly cancelled: Set<string>;
  /** The requests that were answered, oldest first, and the identity of the end that answered each. Their async hooks may still end. */
  readonly answered: Map<string, string>;
}

/**
 * The maximum number of unanswered requests of one end. The maximum numbers of its cancelled and of its answered requests are the same. Each
 * end has its own count, so that no end can use up the limit of others.
 */
const mostRequests = 4096;

/**
 * Records each unanswered request with two ends: the end that made it, and the end to which the hub passed it. Every end sees the ids of
 * all requests, and may guess later ones. So knowing an id is not enough to answer or cancel:
 * - A request with the id of another unanswered request is refused.
 * - Only the end that received a request may answer it. The answer has an effect only at the end that made the request.
 * - Only the end that made a request may cancel it. The cancel has an effect only at the end that received the request.
 * - An answer or a cancel without an unanswered request has an effect only at the end that sent it.
 * - Only the end that received a request may report its progress, also after its answer: the end of an async hook may have context for the
 *   model.
 *
 * A request without an id is not recorded. Its answer has another id, for which no end waits.
 */
export class RequestLedger {
  readonly #entries = new Map<string, Entry>();
  readonly #places = new Map<End, Places>();

  /**
   * Returns an error if the message must be refused. Otherwise records in the publication at which end the message has an effect. Does not
   * change the ledger, because the message may still turn out to be too large.
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
    if (message.type === 'HOOK_EXECUTION_PROGRESS') return this.#judgeProgress(id, identityOf(end));
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

  /** Records an accepted message: adds a request, or removes an answered one. */
  pass({ message, publisher, tried: publication }: Publication): void {
    const { type } = message;
    const id = idOf(message);
    if (id === undefined) return;
    if (isResponseChannel(type)) this.#answer(id);
    if (type === 'HOOK_EXECUTION_CANCEL') this.#cancel(id);
    if (!isRequestChannel(type)) return;
    const requester = publisher?.connection;
    // The connection has ended. No end waits for the answer, and the entry would never be removed.
    if (requester?.isOpen === false) return;
    this.#entries.set(id, { requester, publication, responseChannel: exchanges[type].response, responder: identityOf(requester) });
    this.#placesOf(requester).waiting.add(id);
  }

  /** Records which server receives the request. If `server` is undefined, the requester answers itself. */
  assign({ message, publisher, tried }: Publication, server: Server | undefined): void {
    const id = idOf(message);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    // The request may have been forgotten, and its id used again.
    if (entry?.publication !== tried) return;
    entry.responder = identityOf(server === undefined ? publisher?.connection : server.connection);
  }

  /** Removes the requests of a connection that has ended. No end waits for their answers. */
  forget(connection: HubPeer): void {
    const places = this.#places.get(connection);
    this.#places.delete(connection);
    for (const id of [...(places?.waiting ?? []), ...(places?.cancelled ?? [])]) this.#entries.delete(id);
  }

  #judgeProgress(id: string | undefined, by: string): SocketTransportError | undefined {
    if (id === undefined) return undefined;
    const responders = [this.#entries.get(id)?.responder, ...[...this.#places.values()].map(({ answered }) => answered.get(id))];
    // An attacker may use the id of an answered request again, and answer itself. Then no end may report progress under this id.
    if (responders.every((responder) => responder === undefined || responder === by)) return undefined;
    return refused(`The request ${id} was taken by another end of the bus. Only that end can report its progress.`);
  }

  /** Removes a request that was answered, and remembers which end answered it. */
  #answer(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#remove(id);
    const { answered } = this.#placesOf(entry.requester);
    answered.set(id, entry.responder);
    const [oldest] = answered.keys();
    if (answered.size > mostRequests && oldest !== undefined) answered.delete(oldest);
  }

  /**
   * Moves a request to the cancelled ones. It can still be answered, because the other end may report the outcomes so far. If too many are
   * cancelled, the oldest is removed, and its answer has no effect.
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
    const places: Places = { waiting: new Set(), cancelled: new Set(), answered: new Map() };
    this.#places.set(end, places);
    return places;
  }
}

function idOf({ payload }: BusMessage): string | undefined {
  const id = (payload as { correlationId?: unknown } | null | undefined)?.correlationId;
  return isCorrelationId(id) ? id : undefined;
}
