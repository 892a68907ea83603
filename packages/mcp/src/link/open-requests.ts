import { randomUUID } from 'node:crypto';
import { isId, type Message, type MessageId } from '../wire/message.js';

/** A request of the client that has no answer yet. */
export interface OpenRequest {
  /** The id as the client wrote it. */
  readonly id: MessageId;
  /** The id for the server. It is another one if the server may still answer an earlier request with the id of the client. */
  readonly serverId: MessageId;
  readonly method: string;
  readonly params: Message;
  /** Present while hooks decide about the request or its response. */
  held?: Held;
}

/** What is known about a request that is held. */
export interface Held {
  /** Aborts hooks, questions and the wait for the server. */
  readonly control: AbortController;
  /** Receives the response of the server. Absent while the server has not been sent the request, and after its response. */
  onResponse?: ((response: Message, extra: unknown) => void) | undefined;
  /** Ends the wait for the response. Present while the server has the request. */
  fail?: ((error: Error) => void) | undefined;
  /** Whether the server has answered, so that the rest depends on hooks alone. */
  hasResponse?: boolean;
}

/** The maximum number of requests without an answer. A server that answers nothing must not fill our memory. */
const most = 10_000;

/**
 * The requests of the client that have no answer yet. An id is compared as text: some clients accept the answer "1" to the request 1, and
 * then an answer could come to them past the hooks.
 */
export class OpenRequests {
  readonly #requests = new Map<string, OpenRequest>();
  readonly #byServerId = new Map<string, OpenRequest>();
  /** Ids of cancelled requests that the server may still answer. */
  readonly #cancelled = new Set<string>();

  /** Adds a request. Returns it, or why it must be refused, as the rest of a sentence that begins with "The message". */
  add(request: Omit<OpenRequest, 'serverId'>): OpenRequest | string {
    const { id } = request;
    if (this.#requests.has(String(id))) return `has the id ${JSON.stringify(id)} of a request that has no answer yet`;
    if (this.#requests.size >= most) return `is one too many: ${most} requests have no answer yet`;
    const added = { ...request, serverId: this.#isFree(id) ? id : `tenterhook.${randomUUID()}` };
    this.#requests.set(String(id), added);
    this.#byServerId.set(String(added.serverId), added);
    return added;
  }

  /** Returns the open request to which the client gave this id. A missing id is not the text "undefined". */
  get(id: unknown): OpenRequest | undefined {
    if (!isId(id)) return undefined;
    return this.#requests.get(String(id));
  }

  /** Returns the open request that has this id for the server. */
  ofServer(id: unknown): OpenRequest | undefined {
    if (!isId(id)) return undefined;
    return this.#byServerId.get(String(id));
  }

  /** Removes the request. Returns whether it was still open: only then may it be answered. */
  remove(request: OpenRequest): boolean {
    const key = String(request.id);
    if (this.#requests.get(key) !== request) return false;
    this.#byServerId.delete(String(request.serverId));
    return this.#requests.delete(key);
  }

  /** Removes a request that was cancelled, and remembers its id. */
  cancel(request: OpenRequest): void {
    const isOfClient = request.id === request.serverId;
    if (this.remove(request) && isOfClient && this.#cancelled.size < most) this.#cancelled.add(String(request.id));
  }

  /** Removes and returns all requests. */
  takeAll(): OpenRequest[] {
    const all = [...this.#requests.values()];
    this.#requests.clear();
    this.#byServerId.clear();
    return all;
  }

  list(): OpenRequest[] {
    return [...this.#requests.values()];
  }

  /** Whether no late answer can have this id. When no more ids can be remembered, each request gets an id of ours from then on. */
  #isFree(id: MessageId): boolean {
    return this.#cancelled.size < most && !this.#cancelled.has(String(id)) && !this.#byServerId.has(String(id));
  }
}
