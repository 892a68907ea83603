import type { BusMessage, RequestChannel } from '@tenterhook/protocol';
import { exchanges } from '@tenterhook/protocol/internal';
import { type ClientWire, readTaken } from '../client/client-wire.js';
import type { Msg } from '../client/nats-library.js';
import { log } from '../client/nats-link.js';
import { withDeliveries } from '../jobs/job.js';
import { idInUse, NatsTransportError } from '../nats-error.js';
import { failedAnswer, readAnswer } from '../wire/answer.js';
import { decodeFields, decodeMessage, idOf } from '../wire/codec.js';
import { headerNames } from '../wire/headers.js';
import { kindOf } from '../wire/subjects.js';
import type { AskedRequest, AskedRequests } from './asked-requests.js';
import type { RequestEnds } from './request-ends.js';

/** After so many workers in a row have declined a request, there is none that would take it. */
const mostDeclined = 50;

/** What workers and the server send about the requests of this process. */
export class Replies {
  readonly #wire: ClientWire;
  readonly #asked: AskedRequests;
  readonly #ends: RequestEnds;
  readonly #onTaken: () => void;
  #repeated = 0;

  /** `onTaken` is called when a worker of another process has received a request. */
  constructor(wire: ClientWire, asked: AskedRequests, ends: RequestEnds, onTaken: () => void) {
    this.#wire = wire;
    this.#asked = asked;
    this.#ends = ends;
    this.#onTaken = onTaken;
  }

  /** The number of answers that arrived after the first one of their request, from another worker. */
  get repeated(): number {
    return this.#repeated;
  }

  /** Receives a reply to a request. `kind` is the last token of its subject, if a worker has sent it. */
  receive(asked: AskedRequest, kind: string | undefined, reply: Msg): void {
    const exchange = exchanges[asked.message.type as RequestChannel];
    if (isUnserved(kind, reply)) this.#ends.settleUnserved(asked);
    else if (kind === 'taken') this.#take(asked, reply.data);
    else if (kind === 'declined') this.#askAgain(asked);
    else if (kind === 'refused') this.#refuse(asked, reply.data);
    else if (kind === kindOf(exchange.response)) this.#wire.read(reply, (data) => this.#answer(asked, data, reply));
    else if (kind === kindOf(exchange.progress)) this.#report(asked, reply.data);
    else log('a reply of an unknown kind: %s', reply.subject);
  }

  #take(asked: AskedRequest, data: Uint8Array): void {
    const taken = readTaken(data);
    const { correlationId, kept } = asked;
    if (taken === undefined || (asked.worker !== undefined && kept === undefined)) {
      log('a second or malformed report that a request was taken');
      return;
    }
    const worker = { name: taken.worker, token: taken.token };
    const refusal = asked.state === 'over' ? undefined : kept?.take(worker);
    if (refusal !== undefined) {
      kept?.withdraw();
      this.#ends.fail(asked, 'internal_error', refusal);
    }
    if (asked.state === 'over') {
      asked.worker = worker;
      // The requester has given up, or a stream has delivered an answered request again. The work would be for nothing.
      if ((asked.isAnswered && kept === undefined) || correlationId === undefined) return;
      const disposing: BusMessage = { type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId, reason: 'disposed' } };
      this.#ends.sendCancel([worker], asked.cancel ?? disposing);
      return;
    }
    this.#asked.take(asked, worker);
    this.#onTaken();
    const { cancel } = asked;
    if (cancel === undefined) return;
    asked.cancel = undefined;
    this.#ends.sendCancel([worker], cancel);
    this.#asked.finish(asked);
  }

  /** A worker that has just stopped did not take the request. The server chooses another one, or reports that there is none. */
  #askAgain(asked: AskedRequest): void {
    if (asked.state !== 'asking') return;
    asked.declined += 1;
    if (asked.declined >= mostDeclined) this.#ends.settleUnserved(asked);
    else asked.send();
  }

  #refuse(asked: AskedRequest, data: Uint8Array): void {
    if (asked.state !== 'asking') return;
    const { code } = decodeFields(data) ?? {};
    const isInUse = code === 'id_in_use';
    const error = isInUse
      ? idInUse(asked.correlationId as string)
      : new NatsTransportError('refused', 'A worker could not read the request.', 'Use one version in all processes.');
    if (asked.kept !== undefined) this.#ends.fail(asked, isInUse ? 'invalid_request' : 'internal_error', error.message);
    else this.#ends.reject(asked, error);
  }

  #answer(asked: AskedRequest, data: Uint8Array, reply: Msg): void {
    const { correlationId, kept } = asked;
    const token = kept === undefined ? undefined : reply.headers?.get(headerNames.token);
    if (asked.isAnswered) {
      if (kept?.isAnsweredAgain(token)) this.#repeated += 1;
      log('a second answer to the request %s', correlationId);
      return;
    }
    const read = readAnswer(asked, data, (id) => this.#asked.findById(id) !== undefined);
    if ('problem' in read) log('a malformed answer to the request %s: %s', correlationId, read.problem);
    // The requester waits for an answer, so a malformed one becomes an error.
    const answer = 'problem' in read ? failedAnswer(asked, 'internal_error', `The response was malformed: ${read.problem}.`) : read;
    if (answer === undefined) return;
    asked.isAnswered = true;
    kept?.answer(token);
    if (asked.state === 'asking') asked.resolve('served');
    this.#asked.finish(asked);
    this.#wire.listeners.deliver(kept === undefined ? answer : withDeliveries(answer, kept.deliveries));
  }

  #report({ correlationId }: AskedRequest, data: Uint8Array): void {
    const message = decodeMessage(data);
    if ('problem' in message || message.type !== 'HOOK_EXECUTION_PROGRESS' || idOf(message) !== correlationId) {
      log('malformed progress of the request %s', correlationId);
      return;
    }
    this.#wire.listeners.deliver(message);
  }
}

/** Whether the server reports that there is no subscriber to the subject of a message. `kind`: see `Replies.receive`. */
export function isUnserved(kind: string | undefined, reply: Msg): boolean {
  return kind === undefined && reply.data.length === 0 && reply.headers?.code === 503;
}
