import { isCorrelationId, isResponseChannel, isUnsolicited, RecentMap } from '@tenterhook/bus/internal';
import type { BusMessage } from '@tenterhook/protocol';
import { exchanges, isRequestChannel } from '@tenterhook/protocol/internal';
import { idInUse, overloaded, refused, type SocketTransportError } from '../socket-error.js';
import { type HubPeer, identityOf, type Publication, type RequestEntry, type Server } from './publication.js';

/** The process that a message came from: a connection, or undefined for the process of the hub. */
export type End = HubPeer | undefined;

/** The requests of one process, by state. */
interface Places {
  /** How many have no answer yet and are not cancelled. */
  waiting: number;
  /** Cancelled requests, oldest first. The process waits for their answers only for a moment. */
  readonly cancelled: Set<string>;
  /**
   * The identity of the process that answered, by the id of the request. The last answered requests are kept because their async hooks may
   * still end.
   */
  readonly answered: RecentMap<string, string>;
}

/**
 * The maximum number of unanswered requests of one process. The same limit holds for its cancelled requests, and twice the limit for its
 * answered ones. Each process has its own count, so that it cannot use up the limit of others.
 */
const mostRequests = 4096;

/**
 * Records each unanswered request with two processes ("ends"): the one that made it, and the one to which the hub passed it. Every
 * process sees the ids of all requests, and may guess later ids. So knowing an id is not enough to answer or cancel:
 * - A request with the id of another unanswered request is refused.
 * - Only the end that received a request may answer it. The answer has an effect only at the end that made the request.
 * - Only the end that made a request may cancel it. The cancel has an effect only at the end that received the request.
 * - An answer or a cancel without an unanswered request has an effect only at the end that sent it.
 * - Only the end that received a request may report its progress. This includes progress after the answer: an async hook that ends
 *   late may have context for the model.
 *
 * A request without an id is not recorded. Its answer has another id, for which no end waits.
 */
export class RequestLedger {
  readonly #entries = new Map<string, RequestEntry>();
  readonly #places = new Map<End, Places>();

  /**
   * Returns an error if the message must be refused. Otherwise records in the publication at which process the message has an
   * effect. The ledger is not changed yet, because the message may still turn out to be too large.
   */
  judge(publication: Publication): SocketTransportError | undefined {
    const { message } = publication;
    const end = publication.publisher?.connection;
    const id = idOf(message);
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (isRequestChannel(message.type)) {
      if (id === undefined) return undefined;
      if (entry !== undefined) return idInUse(id);
      const waiting = this.#places.get(end)?.waiting ?? 0;
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
      return refused(`The request ${id} was taken by another process on the bus. Only that process can answer it.`);
    }
    if (!isAnswer && requester !== by) {
      return refused(`The request ${id} was made by another process on the bus. Only that process can cancel it.`);
    }
    publication.countsAt = isAnswer ? requester : entry.responder;
    return undefined;
  }

  /** Records an accepted message: a request is added, and an answered request is removed. */
  pass(publication: Publication): void {
    const { message, publisher } = publication;
    const { type } = message;
    const id = idOf(message);
    if (id === undefined) return;
    if (isResponseChannel(type)) this.#answer(id);
    if (type === 'HOOK_EXECUTION_CANCEL') this.#cancel(id);
    if (!isRequestChannel(type)) return;
    const requester = publisher?.connection;
    // The connection has ended, so its process does not wait for the answer. The entry would never be removed.
    if (requester?.isOpen === false) return;
    const entry: RequestEntry = {
      requester,
      responseChannel: exchanges[type].response,
      responder: identityOf(requester),
      isCancelled: false,
    };
    this.#entries.set(id, entry);
    publication.entry = entry;
    this.#placesOf(requester).waiting += 1;
  }

  /** Records which server receives the request. If `server` is undefined, the requester answers itself. */
  assign({ publisher, entry }: Publication, server: Server | undefined): void {
    if (entry !== undefined) entry.responder = identityOf(server === undefined ? publisher?.connection : server.connection);
  }

  /** Returns the ids of the requests of a connection that have no answer yet and are not cancelled. */
  waitingOf(connection: HubPeer): readonly string[] {
    return this.#entriesOf(connection).flatMap(([id, { isCancelled }]) => (isCancelled ? [] : [id]));
  }

  /** Removes the requests of a connection that has ended, because its process does not wait for the answers. */
  forget(connection: HubPeer): void {
    this.#places.delete(connection);
    for (const [id] of this.#entriesOf(connection)) this.#entries.delete(id);
  }

  /** A list for each connection was rejected: each request would be added and removed, and few connections end. */
  #entriesOf(connection: HubPeer): readonly (readonly [id: string, entry: RequestEntry])[] {
    return [...this.#entries].filter(([, { requester }]) => requester === connection);
  }

  #judgeProgress(id: string | undefined, by: string): SocketTransportError | undefined {
    if (id === undefined) return undefined;
    const responders = [this.#entries.get(id)?.responder, ...[...this.#places.values()].map(({ answered }) => answered.get(id))];
    // An attacker may use the id of an answered request again, and answer the new request itself. Then no process may report
    // progress under this id.
    if (responders.every((responder) => responder === undefined || responder === by)) return undefined;
    return refused(`The request ${id} was taken by another process on the bus. Only that process can report its progress.`);
  }

  /** Removes a request that was answered, and remembers which process answered it. */
  #answer(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#remove(id);
    const { answered } = this.#placesOf(entry.requester);
    answered.set(id, entry.responder);
  }

  /**
   * Moves a request to the cancelled ones. It can still be answered, because the other process may report the outcomes so far. If
   * too many requests are cancelled, the oldest is removed, and an answer to it has no effect.
   */
  #cancel(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.isCancelled) return;
    entry.isCancelled = true;
    const places = this.#placesOf(entry.requester);
    places.waiting -= 1;
    places.cancelled.add(id);
    const [oldest] = places.cancelled;
    if (places.cancelled.size > mostRequests && oldest !== undefined) this.#remove(oldest);
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    const places = this.#placesOf(entry.requester);
    if (entry.isCancelled) places.cancelled.delete(id);
    else places.waiting -= 1;
  }

  #placesOf(end: End): Places {
    const found = this.#places.get(end);
    if (found !== undefined) return found;
    const places: Places = { waiting: 0, cancelled: new Set(), answered: new RecentMap(mostRequests) };
    this.#places.set(end, places);
    return places;
  }
}

function idOf({ payload }: BusMessage): string | undefined {
  const id = (payload as { correlationId?: unknown } | null | undefined)?.correlationId;
  return isCorrelationId(id) ? id : undefined;
}
