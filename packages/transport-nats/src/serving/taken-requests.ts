import { randomUUID } from 'node:crypto';
import { RecentMap } from '@tenterhook/bus/internal';
import type { Channel } from '@tenterhook/protocol';
import type { Job } from '../jobs/job.js';

/** A request that a server of this process has received. */
export interface TakenRequest {
  /** The subject of its replies, without the last token. It identifies the request. */
  readonly replies: string;
  /** Known only to the requester, which cancels with it. Undefined until `tokenOf()` is called. */
  token: string | undefined;
  readonly correlationId: string | undefined;
  readonly responseChannel: Channel;
  /** Whether this process made the request. */
  readonly isOwn: boolean;
  timer: NodeJS.Timeout | undefined;
  /** The delivery of a request that a stream keeps. Undefined as soon as the stream knows that the request is answered. */
  job: Job | undefined;
}

/** The repetition of so many answered requests is recognised, and their progress is still sent to the requester. */
const leastAnswered = 4096;

/** The requests that this process works on, or has answered. */
export class TakenRequests {
  readonly #running = new Map<string, TakenRequest>();
  readonly #runningById = new Map<string, TakenRequest>();
  readonly #byToken = new Map<string, TakenRequest>();
  /** By the subject of the replies. */
  readonly #answered = new RecentMap<string, TakenRequest>(leastAnswered);
  readonly #answeredById = new RecentMap<string, TakenRequest>(leastAnswered);
  /** The request that a server receives at the moment. Its answer may have another id, if its own id is malformed. */
  arriving: TakenRequest | undefined;

  add({ replies, correlationId, responseChannel, isOwn, job }: Omit<TakenRequest, 'token' | 'timer'>): TakenRequest {
    // Without a spread: on Node 20, each field after a spread takes a microsecond.
    const taken: TakenRequest = {
      replies,
      token: undefined,
      correlationId,
      responseChannel,
      isOwn,
      timer: undefined,
      job,
    };
    this.#running.set(taken.replies, taken);
    if (taken.correlationId !== undefined) this.#runningById.set(taken.correlationId, taken);
    return taken;
  }

  /** Returns the request with these replies, running or answered. */
  find(replies: string): TakenRequest | undefined {
    return this.#running.get(replies) ?? this.#answered.get(replies);
  }

  /** Forgets a running request, which another worker will answer. */
  remove(taken: TakenRequest): void {
    clearTimeout(taken.timer);
    this.#running.delete(taken.replies);
    if (taken.token !== undefined) this.#byToken.delete(taken.token);
    if (taken.correlationId !== undefined) this.#runningById.delete(taken.correlationId);
  }

  findById(correlationId: string | undefined): TakenRequest | undefined {
    return correlationId === undefined ? undefined : this.#runningById.get(correlationId);
  }

  /** Returns a running or answered request, for its progress. */
  findForProgress(correlationId: string | undefined): TakenRequest | undefined {
    if (correlationId === undefined) return undefined;
    return this.#runningById.get(correlationId) ?? this.#answeredById.get(correlationId);
  }

  running(): Iterable<TakenRequest> {
    return this.#running.values();
  }

  /** Creates the token of a running request. A request that is answered before its requester must know the token has none. */
  tokenOf(taken: TakenRequest): string {
    const { token = randomUUID() } = taken;
    taken.token = token;
    if (this.#running.has(taken.replies)) this.#byToken.set(token, taken);
    return token;
  }

  findByToken(token: string): TakenRequest | undefined {
    return this.#byToken.get(token);
  }

  answer(taken: TakenRequest): void {
    if (!this.#running.has(taken.replies)) return;
    this.remove(taken);
    const { correlationId: id } = taken;
    if (id !== undefined) this.#answeredById.set(id, taken);
    this.#answered.set(taken.replies, taken);
  }

  close(): void {
    for (const { timer } of this.#running.values()) clearTimeout(timer);
    this.#running.clear();
    this.#runningById.clear();
    this.#byToken.clear();
  }
}
