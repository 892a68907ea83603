import { randomUUID } from 'node:crypto';
import type { ReviewedToolCall } from '@tenterhook/agent';
import { isPlainObject, isSameJson } from '@tenterhook/runtime/json';
import type { Message } from '../wire/message.js';
import { longestAnswerMs } from './elicitations.js';
import { questionParams } from './question-text.js';

/** The key of our question among the questions of a result. Its answer counts only together with our state, which the server never sees. */
const questionKey = 'tenterhook.approval';

/** Our states begin with this, so that an old one is not passed to the server as its own. */
const statePrefix = 'tenterhook.state.';

/** The maximum number of calls that wait for an answer. The oldest are forgotten; then the user is asked again. */
const most = 128;

/** A call that waits for the answer of the user, or one that the user has allowed and the server has questions about. */
interface Waiting {
  /** The call as hooks rewrote it. Only this call is allowed. */
  readonly reviewed: ReviewedToolCall;
  /** The arguments as the client wrote them. */
  readonly input: unknown;
  /** The fields of the request that belong to questions of the server. */
  readonly carried: Message;
  readonly isAllowed: boolean;
  readonly until: number;
}

/** What a request says about an earlier question. */
export interface Retry {
  readonly reviewed: ReviewedToolCall;
  readonly answer: 'allow' | 'deny';
}

/**
 * Questions as results of the call (`input_required`): the way of the protocol 2026-07-28. The client asks its user and sends the call
 * again, with the answer and with our state. The state is a random token. What it means is kept in this process, so it cannot be forged.
 */
export class Approvals {
  readonly #waiting = new Map<string, Waiting>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns the result that asks the user about the call. */
  ask(message: string, call: Omit<Waiting, 'isAllowed' | 'until'>): Message {
    const requestState = `${statePrefix}${randomUUID()}`;
    this.#remember(requestState, { ...call, isAllowed: false });
    return {
      resultType: 'input_required',
      inputRequests: { [questionKey]: { method: 'elicitation/create', params: questionParams(message) } },
      requestState,
    };
  }

  /** Remembers that the user has allowed the call, until the client answers the questions of the server. */
  keepAllowed({ requestState }: Message, call: Pick<Waiting, 'reviewed' | 'input'>): void {
    if (typeof requestState === 'string') this.#remember(requestState, { ...call, carried: {}, isAllowed: true });
  }

  /**
   * Reads a request. `retry` is what the user answered about exactly this call, and is absent if the request answers no question of ours.
   * An answer counts once. `params` are the parameters for the server, with nothing of ours.
   */
  read(params: Message): { readonly retry?: Retry; readonly params: Message } {
    const { requestState: state, inputResponses } = params;
    if (state === undefined && inputResponses === undefined) return { params };
    const ofServer = withoutOurFields(params);
    const waiting = typeof state === 'string' ? this.#take(state, params) : undefined;
    if (waiting === undefined) return { params: ofServer };
    if (waiting.isAllowed) return { retry: { reviewed: waiting.reviewed, answer: 'allow' }, params: ofServer };
    const { answer: given } = splitResponses(inputResponses);
    const answer = isPlainObject(given) ? given['action'] : undefined;
    // Without an answer the user is asked again.
    if (typeof answer !== 'string') return { params: { ...ofServer, ...waiting.carried } };
    return {
      retry: { reviewed: waiting.reviewed, answer: answer === 'accept' ? 'allow' : 'deny' },
      params: { ...ofServer, ...waiting.carried },
    };
  }

  #take(state: string, { name, arguments: input }: Message): Waiting | undefined {
    const waiting = this.#waiting.get(state);
    if (waiting === undefined) return undefined;
    if (waiting.until < this.#now()) this.#waiting.delete(state);
    else if (waiting.reviewed.name === name && isSameJson(waiting.input, input ?? {})) {
      this.#waiting.delete(state);
      return waiting;
    }
    return undefined;
  }

  #remember(state: string, waiting: Omit<Waiting, 'until'>): void {
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size >= most && oldest !== undefined) this.#waiting.delete(oldest);
    this.#waiting.set(state, { ...waiting, until: this.#now() + longestAnswerMs });
  }
}

/** Returns the parameters that belong to questions of the server. */
export function carriedFields({ requestState, inputResponses }: Message): Message {
  return { ...(requestState === undefined ? {} : { requestState }), ...(inputResponses === undefined ? {} : { inputResponses }) };
}

/** Whether a request has something of ours, which the server must not receive. */
export function hasOurFields({ requestState, inputResponses }: Message): boolean {
  return isOurs(requestState) || (isPlainObject(inputResponses) && Object.hasOwn(inputResponses, questionKey));
}

/** Returns the parameters of a request with nothing of ours. */
export function withoutOurFields({ requestState, inputResponses, ...others }: Message): Message {
  const { rest } = splitResponses(inputResponses);
  return {
    ...others,
    ...(requestState === undefined || isOurs(requestState) ? {} : { requestState }),
    ...(rest === undefined ? {} : { inputResponses: rest }),
  };
}

function isOurs(state: unknown): boolean {
  return typeof state === 'string' && state.startsWith(statePrefix);
}

/** Separates the answer to our question from the answers to questions of the server. `rest` is undefined if there are none. */
function splitResponses(responses: unknown): { readonly answer?: unknown; readonly rest?: unknown } {
  if (!isPlainObject(responses)) return responses === undefined ? {} : { rest: responses };
  const { [questionKey]: answer, ...rest } = responses;
  return { answer, ...(Object.keys(rest).length === 0 && answer !== undefined ? {} : { rest }) };
}
