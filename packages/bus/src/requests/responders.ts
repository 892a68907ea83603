import { type BusMessage, exchanges, type PayloadOf, type RequestChannel, type ResponseError } from '@tenterhook/protocol';
import { createLog } from '@tenterhook/runtime/log';
import { describeThrown } from '@tenterhook/runtime/text';
import { Exchange, type ProgressPayload, type RequestContext } from '../exchange.js';
import { refusalOf, withCorrelationId } from '../read-request.js';
import type { Transport } from '../transport.js';
import type { InFlight } from './request-table.js';
import { type Answer, type Failure, failure, responseMessage } from './responses.js';

const log = createLog('bus');

/** Carries a request out. What it throws, and an answer that is none, become `internal_error`. */
export type RequestHandler<C extends RequestChannel> = (payload: PayloadOf<C>, context: RequestContext) => Promise<Answer<C>> | Answer<C>;

type AnyHandler = (payload: never, context: RequestContext) => unknown;

/** The answering half of a bus: one response for each request that its transport hands to one of its responders, whatever happens. */
export class Responders {
  readonly #transport: Transport;
  readonly #inFlight: InFlight;
  readonly #nextId: () => string;
  readonly #send: (message: BusMessage) => void;

  constructor(transport: Transport, inFlight: InFlight, nextId: () => string, send: (message: BusMessage) => void) {
    this.#transport = transport;
    this.#inFlight = inFlight;
    this.#nextId = nextId;
    this.#send = send;
  }

  /** The returned function keeps new requests away; those in flight go on. */
  add(channel: RequestChannel, handler: AnyHandler, maxInFlight: number, route: string | undefined): () => void {
    let running = 0;
    const ended = () => {
      running -= 1;
    };
    const serve = ({ payload }: BusMessage) => {
      const refusal = refusalOf(channel, payload, this.#isRunning);
      if (refusal !== undefined) {
        this.#refuse(channel, payload, refusal);
        return;
      }
      const correlationId = (payload as { correlationId?: string }).correlationId ?? this.#nextId();
      if (running >= maxInFlight) {
        const message = `${maxInFlight} requests are in flight, the most this responder takes. Send this one again later, or raise maxInFlight.`;
        this.#send(responseMessage(channel, correlationId, failure('overloaded', message)));
        return;
      }
      running += 1;
      const exchange = new Exchange(correlationId, channel, payload, this, this.#publishProgress);
      this.#inFlight.addExchange(exchange);
      void this.#run(exchange, handler, ended);
    };
    return this.#transport.serve(channel, serve, route);
  }

  /** Answers a request that no server got. A malformed one is malformed all the same, whoever is there to say it. */
  answerInstead(channel: RequestChannel, payload: unknown, answer: Failure): void {
    const refusal = refusalOf(channel, payload, this.#isRunning);
    if (refusal !== undefined) {
      this.#refuse(channel, payload, refusal);
      return;
    }
    const correlationId = (payload as { correlationId?: string }).correlationId ?? this.#nextId();
    this.#send(responseMessage(channel, correlationId, answer));
  }

  /** Every bus hears every cancel; the first to know the id aborts it, and the others abort nothing more. */
  readonly cancel = (message: BusMessage): void => {
    const { correlationId, reason } = (message.payload ?? {}) as { correlationId?: string; reason?: unknown };
    this.#inFlight.exchange(correlationId)?.abort(typeof reason === 'string' ? reason : 'cancelled');
  };

  /** Answers what is running `disposed` and aborts it. Answered first: what the handler says to the abort must not be a second response. */
  dispose(): void {
    for (const exchange of this.#inFlight.exchangesOf(this)) {
      this.#settle(exchange, failure('disposed', 'The bus was closed before the request was answered.'));
      exchange.abort('disposed');
    }
  }

  readonly #isRunning = (correlationId: string): boolean => this.#inFlight.exchange(correlationId) !== undefined;

  #refuse(channel: RequestChannel, payload: unknown, error: ResponseError): void {
    const correlationId = this.#nextId();
    const waiter = this.#inFlight.waiterRefused(payload);
    if (waiter !== undefined) this.#inFlight.renameWaiter(waiter, correlationId);
    this.#send(responseMessage(channel, correlationId, { success: false, error }));
  }

  /** The handler is called at once, during the delivery, so that no cancel comes between. Never rejects. */
  async #run(exchange: Exchange, handler: AnyHandler, ended: () => void): Promise<void> {
    let answer: unknown;
    try {
      answer = await handler(exchange.payload as never, exchange);
    } catch (error) {
      log('the responder of %s failed on request %s: %O', exchange.channel, exchange.correlationId, error);
      answer = failure('internal_error', `The responder failed: ${describeThrown(error)}`);
    }
    ended();
    this.#settle(exchange, answer);
  }

  /** The id is free before the response is seen, so that whoever sees it may use the id again. */
  #settle(exchange: Exchange, answer: unknown): void {
    if (!this.#inFlight.removeExchange(exchange)) return;
    this.#send(responseMessage(exchange.channel, exchange.correlationId, answer));
  }

  readonly #publishProgress = (exchange: Exchange, payload: ProgressPayload): void => {
    const type = exchanges[exchange.channel].progress;
    this.#send({ type, payload: withCorrelationId(payload, exchange.correlationId) } as BusMessage);
  };
}
