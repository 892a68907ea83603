import type { HookExecutionProgress, RequestChannel } from '@tenterhook/protocol';

type WithoutId<Payload> = Payload extends unknown ? Omit<Payload, 'correlationId'> : never;

/** A progress message of one request, whose id the bus fills in. */
export type ProgressPayload = WithoutId<HookExecutionProgress>;

/** What a responder is told beside the payload. May be destructured. */
export interface RequestContext {
  readonly correlationId: string;

  /** Aborts when the request is cancelled, its time runs out or the bus is closed; `signal.reason` is the reason as text. */
  readonly signal: AbortSignal;

  /** Publishes a progress message of this request. Also after the answer: what happens late is told late. */
  readonly progress: (payload: ProgressPayload) => void;
}

/**
 * One request, from its arrival at a responder to the response. Signal and progress are made when they are first read: an AbortController
 * costs three times as much as all the rest of a request.
 */
export class Exchange implements RequestContext {
  readonly correlationId: string;
  readonly channel: RequestChannel;
  readonly payload: unknown;
  readonly owner: object;
  readonly #publishProgress: (exchange: Exchange, payload: ProgressPayload) => void;
  #controller: AbortController | undefined;
  #abortReason: string | undefined;
  #progress: RequestContext['progress'] | undefined;

  constructor(
    correlationId: string,
    channel: RequestChannel,
    payload: unknown,
    owner: object,
    publishProgress: (exchange: Exchange, payload: ProgressPayload) => void,
  ) {
    this.correlationId = correlationId;
    this.channel = channel;
    this.payload = payload;
    this.owner = owner;
    this.#publishProgress = publishProgress;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get progress(): RequestContext['progress'] {
    this.#progress ??= (payload) => this.#publishProgress(this, payload);
    return this.#progress;
  }

  /** The first reason counts. */
  abort(reason: string): void {
    this.#abortReason ??= reason;
    this.#controller?.abort(reason);
  }
}
