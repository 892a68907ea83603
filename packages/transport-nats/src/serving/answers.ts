import type { Delivery } from '@tenterhook/bus';
import { isUnsolicited } from '@tenterhook/bus/internal';
import type { BusMessage } from '@tenterhook/protocol';
import type { ClientWire } from '../client/client-wire.js';
import { log } from '../client/nats-link.js';
import { deliveredTooOften, type Job, withDeliveries } from '../jobs/job.js';
import type { CheckedLimits } from '../limits.js';
import { disconnected, refused } from '../nats-error.js';
import type { Requester } from '../requests/requester.js';
import { idOf } from '../wire/codec.js';
import { headerNames } from '../wire/headers.js';
import { kindOf } from '../wire/subjects.js';
import type { TakenRequest, TakenRequests } from './taken-requests.js';
import { UnconfirmedAnswers } from './unconfirmed-answers.js';

/** Sends the answers and the progress of the requests that the servers of this process have received. */
export class Answers {
  readonly #wire: ClientWire;
  readonly #taken: TakenRequests;
  readonly #requester: Requester;
  readonly #unconfirmed: UnconfirmedAnswers;

  constructor(wire: ClientWire, limits: CheckedLimits, taken: TakenRequests, requester: Requester) {
    this.#wire = wire;
    this.#taken = taken;
    this.#requester = requester;
    this.#unconfirmed = new UnconfirmedAnswers(wire.link, limits);
  }

  /** Sends the answer of a server of this process. Returns undefined if no server has received its request. Throws if it is refused. */
  answer(message: BusMessage): Promise<Delivery> | undefined {
    const id = idOf(message);
    const taken = this.#taken.findById(id) ?? this.#findArriving(message);
    if (taken === undefined) return undefined;
    if (isUnsolicited(message) || taken.responseChannel !== message.type) {
      throw refused(`A server of this process works on the request ${id}. Only this server can answer it.`);
    }
    if (taken.job !== undefined && isDisposed(message)) {
      // This worker ends. Another one carries the request out.
      this.#taken.remove(taken);
      taken.job.giveBack();
      return Promise.resolve('unserved');
    }
    const isPlain = taken.job === undefined || this.#wire.isStored(message);
    const answer = isPlain ? message : withDeliveries(message, taken.job?.deliveries ?? 1);
    const data = this.#wire.encode(answer);
    if (taken.isOwn) {
      this.#taken.answer(taken);
      settleJob(taken);
      this.#requester.finishOwn(taken.replies);
      this.#wire.sendToLog(answer, data);
      this.#wire.listeners.deliver(answer);
      return Promise.resolve('unserved');
    }
    // An answer waits for a reconnection, because it may be a deny. Beyond the limit it is lost.
    if (!this.#unconfirmed.hasRoom(data.length)) return this.#loseAnswer(taken);
    return this.#sendAnswer(taken, message, data);
  }

  /** Sends progress of a request that a server of this process has received. Returns undefined if none has. */
  report(message: BusMessage): Promise<Delivery> | undefined {
    const taken = this.#taken.findForProgress(idOf(message));
    if (taken === undefined) return undefined;
    const { link } = this.#wire;
    const data = this.#wire.encode(message);
    if (taken.isOwn) this.#wire.sendToLog(message, data);
    else if (link.isOpen) this.#wire.send(`${taken.replies}.${kindOf(message.type)}`, message, data);
    this.#wire.listeners.deliver(message);
    return link.confirm().then(() => 'unserved' as const);
  }

  /** Answers a request that may be what ends the workers, without carrying it out. */
  refuse({ correlationId, responseChannel }: TakenRequest, { deliveries }: Job): void {
    const message = deliveredTooOften(deliveries);
    const payload = { correlationId, success: false, error: { code: 'internal_error', message } };
    try {
      this.answer({ type: responseChannel, payload } as BusMessage)?.catch(() => {});
    } catch (error) {
      log('the refusal of a request was not sent: %O', error);
    }
  }

  /** Ends a request that cannot be answered, because it has no valid id. */
  abandon(taken: TakenRequest): void {
    this.#taken.answer(taken);
    settleJob(taken);
  }

  /** The connection is back, but nothing is confirmed yet. */
  sendAgain(): void {
    this.#unconfirmed.sendAgain();
  }

  confirmAgain(): void {
    this.#unconfirmed.confirmAgain();
  }

  /** Resolves to true when the server has all answers of this process, and to false if the time is up first. */
  settled(timeoutMs: number): Promise<boolean> {
    return this.#unconfirmed.settled(timeoutMs);
  }

  rejectAll(): void {
    this.#unconfirmed.rejectAll();
  }

  #sendAnswer(taken: TakenRequest, message: BusMessage, data: Uint8Array): Promise<Delivery> {
    // By the token, the requester recognises the answer of another worker.
    const token = taken.job === undefined ? [] : [[headerNames.token, this.#taken.tokenOf(taken)] as const];
    const headers = this.#wire.headersOf(message, undefined, token);
    this.#taken.answer(taken);
    const subject = `${taken.replies}.${kindOf(message.type)}`;
    const sent = this.#unconfirmed.send(data.length, taken.job !== undefined, () => this.#wire.link.send(subject, data, headers));
    this.#wire.listeners.deliver(message);
    if (taken.job === undefined) return sent;
    return sent.then((delivery) => {
      // Not before the server has the answer: the stream would forget the request.
      settleJob(taken);
      return delivery;
    });
  }

  /** There is no room for an answer. Another worker carries the request out if a stream keeps it; otherwise the requester gets an error. */
  #loseAnswer(taken: TakenRequest): Promise<Delivery> {
    if (taken.job !== undefined) {
      this.#taken.remove(taken);
      taken.job.giveBack();
      return Promise.reject(disconnected());
    }
    const what =
      'The request was answered while its worker had no connection, and the worker had no room for the answer (maxWaitingBytes).';
    const payload = { correlationId: taken.correlationId, success: false, error: { code: 'internal_error', message: what } };
    const instead = { type: taken.responseChannel, payload } as BusMessage;
    return this.#sendAnswer(taken, instead, this.#wire.encode(instead));
  }

  #findArriving({ type }: BusMessage): TakenRequest | undefined {
    const { arriving } = this.#taken;
    if (arriving === undefined || arriving.correlationId !== undefined || arriving.responseChannel !== type) return undefined;
    return arriving;
  }
}

function settleJob(taken: TakenRequest): void {
  taken.job?.acknowledge();
  taken.job = undefined;
}

function isDisposed({ payload }: BusMessage): boolean {
  return (payload as { error?: { code?: unknown } }).error?.code === 'disposed';
}
