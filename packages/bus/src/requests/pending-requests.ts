import type { BusMessage, ErrorCode, RequestChannel } from '@tenterhook/protocol';
import { exchanges } from '@tenterhook/protocol/internal';
import { onAbort } from '@tenterhook/runtime/async';
import { abortReason, describeAbort } from '@tenterhook/runtime/text';
import type { RequestTable, Waiter } from './request-table.js';
import { type AnyResponse, failure, findRequestError, isUnsolicited, responseMessage, withCorrelationId } from './responses.js';

/** Limits of a request. */
export interface RequestOptions {
  /** Milliseconds until the request is cancelled and resolves with `timeout`, 1 to 2147483647. @default no timeout */
  readonly timeoutMs?: number | undefined;

  /** Cancels the request, which then resolves with `cancelled`. @default none */
  readonly signal?: AbortSignal | undefined;
}

type Settle = (response: AnyResponse) => void;
type OnProgress = (message: BusMessage) => void;
type RequestPayload = { readonly correlationId?: unknown };

const lost = {
  code: 'disposed',
  message: 'The connection was lost before the answer arrived. It is unknown whether the request was carried out.',
} as const;

/** The requests of a bus that wait for a response, with their timeouts. Also handles responses that come too late. */
export class PendingRequests {
  readonly #table: RequestTable;
  readonly #cancelGraceMs: number;
  readonly #send: (message: BusMessage, timeoutMs?: number) => void;
  #isDisposed = false;

  constructor(table: RequestTable, cancelGraceMs: number, send: (message: BusMessage, timeoutMs?: number) => void) {
    this.#table = table;
    this.#cancelGraceMs = cancelGraceMs;
    this.#send = send;
  }

  /** Sends a request. Calls `settle` exactly once. Returns undefined if the request was settled without being sent. */
  start(
    channel: RequestChannel,
    payload: RequestPayload,
    options: RequestOptions,
    settle: Settle,
    onProgress?: OnProgress,
  ): Waiter | undefined {
    const given = payload.correlationId;
    if (this.#isDisposed || options.signal?.aborted) {
      const reason = this.#isDisposed
        ? failure('disposed', 'The bus is closed.')
        : failure('cancelled', describeAbort('The signal had aborted before the request was sent', options.signal));
      settle({ correlationId: typeof given === 'string' && given !== '' ? given : this.#table.nextId(), ...reason });
      return undefined;
    }
    const error = given === undefined ? undefined : findRequestError(channel, payload, this.#isInUse);
    const correlationId = given === undefined || error !== undefined ? this.#table.nextId() : (given as string);
    // The payload is copied even if it has an id. The object identifies the request (`RequestTable.findRefusedWaiter`), and a caller may
    // send the same object twice.
    const sent = withCorrelationId(payload, correlationId);
    const waiter = this.#add(channel, correlationId, sent, settle, onProgress, correlationId !== given);
    if (options.timeoutMs !== undefined || options.signal !== undefined) this.#arm(waiter, options);
    // A malformed request is refused here. If it were sent and its id were in use, the responder's error could not be distinguished from
    // the response to the other request.
    if (error !== undefined) this.#send(responseMessage(channel, correlationId, { success: false, error }));
    else this.#send({ type: channel, payload: sent } as BusMessage, options.timeoutMs);
    return waiter;
  }

  /**
   * Settles the requester of a response. A response is ignored if it has no requester, or does not come from the responder of its request.
   */
  readonly receive = (message: BusMessage): void => {
    const response = message.payload as AnyResponse | undefined;
    const waiter = this.#table.waiterForAnswer(response?.correlationId);
    if (response === undefined || waiter === undefined || waiter.responseChannel !== message.type || isUnsolicited(message)) return;
    const { ending } = waiter;
    // A success is passed on even after a timeout or a cancel. The work was done, and callers would repeat it after a failure.
    if (ending === undefined || response.success) this.#settle(waiter, response);
    else this.fail(waiter, ending.code, ending.message, response);
  };

  readonly receiveProgress = (message: BusMessage): void => {
    const { correlationId } = (message.payload ?? {}) as { correlationId?: string };
    this.#table.waiter(correlationId)?.onProgress?.(message);
  };

  /** Settles the request with a failure. `late`: the response that arrived after the request had ended. */
  fail(waiter: Waiter, code: ErrorCode, message: string, late?: AnyResponse): void {
    const response = { correlationId: waiter.correlationId, ...failure(code, message, late?.error?.details) };
    const trace = late !== undefined && 'trace' in late ? late.trace : undefined;
    this.#settle(waiter, trace === undefined ? response : { ...response, trace });
  }

  /**
   * Cancels a request without waiting for its response. After a timeout the bus does wait, because the response may add details. Here no
   * caller would read these details.
   */
  abandon(waiter: Waiter, code: 'cancelled' | 'disposed', message: string): void {
    if (!this.#isAwaited(waiter)) return;
    this.#cancel(waiter, code);
    this.fail(waiter, code, message);
  }

  /**
   * Settles the requests whose answer would come over the lost connection. Requests that run in this process continue. No failure response
   * is published, because other processes may have seen the real response. No cancel is sent, because it could not be delivered.
   */
  loseConnection(): void {
    for (const waiter of this.#table.listWaiters(this)) {
      if (this.#table.running(waiter.correlationId) !== undefined) continue;
      const { code, message } = waiter.ending ?? lost;
      this.fail(waiter, code, message);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const waiter of this.#table.listWaiters(this)) {
      this.abandon(waiter, 'disposed', 'The bus was closed before the request was answered.');
    }
  }

  #add(
    channel: RequestChannel,
    correlationId: string,
    payload: object,
    settle: Settle,
    onProgress: OnProgress | undefined,
    isNewId: boolean,
  ): Waiter {
    const waiter: Waiter = {
      owner: this,
      channel,
      responseChannel: exchanges[channel].response,
      payload,
      settle,
      onProgress,
      correlationId,
      entry: undefined,
      timer: undefined,
      stopListening: undefined,
      ending: undefined,
    };
    this.#table.addWaiter(waiter, isNewId);
    return waiter;
  }

  #arm(waiter: Waiter, { timeoutMs, signal }: RequestOptions): void {
    if (timeoutMs !== undefined) {
      waiter.timer = setTimeout(
        () => this.#end(waiter, 'timeout', `No answer within ${timeoutMs} ms; the request was cancelled.`),
        timeoutMs,
      );
    }
    if (signal !== undefined) {
      waiter.stopListening = onAbort(signal, () =>
        this.#end(waiter, 'cancelled', describeAbort('The request was cancelled by its signal', signal), abortReason(signal)),
      );
    }
  }

  /**
   * Cancels the request, and gives its responder a moment to report the outcomes so far. If there are several causes, the first one is
   * reported.
   */
  #end(waiter: Waiter, code: 'timeout' | 'cancelled', message: string, reason: string = code): void {
    if (waiter.ending !== undefined || !this.#isAwaited(waiter)) return;
    waiter.ending = { code, message };
    clearTimeout(waiter.timer);
    waiter.timer = setTimeout(() => this.fail(waiter, code, message), this.#cancelGraceMs);
    this.#cancel(waiter, reason);
  }

  #cancel({ channel, correlationId }: Waiter, reason: string): void {
    this.#send({ type: exchanges[channel].cancel, payload: { correlationId, reason } });
  }

  /** Settles a request. The request is removed from the table first, because code that `settle` calls must not find it. */
  #settle(waiter: Waiter, response: AnyResponse): void {
    if (!this.#table.removeWaiter(waiter)) return;
    if (waiter.timer !== undefined) clearTimeout(waiter.timer);
    waiter.stopListening?.();
    waiter.settle(response);
  }

  #isAwaited(waiter: Waiter): boolean {
    return this.#table.waiter(waiter.correlationId) === waiter;
  }

  readonly #isInUse = (correlationId: string): boolean => this.#table.has(correlationId);
}
