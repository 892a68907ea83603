import {
  type BusMessage,
  type Channel,
  type ErrorCode,
  errorCodes,
  type RequestChannel,
  type ResponseError,
  type ResponseOf,
  type TraceContext,
} from '@tenterhook/protocol';
import { exchanges, readTraceContext, routingFieldOf } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { codeOf, describeThrown, describeValue } from '@tenterhook/runtime/text';

/** The answer of a responder: a response without its correlation id. */
export type Answer<C extends RequestChannel = RequestChannel> =
  | { readonly success: true; readonly output?: ResponseOf<C>['output']; readonly trace?: TraceContext | undefined }
  | { readonly success: false; readonly error: ResponseError; readonly trace?: TraceContext | undefined };

export type AnyResponse = ResponseOf<RequestChannel>;

export interface Failure {
  readonly success: false;
  readonly error: ResponseError;
}

/** The maximum number of characters of a correlation id. A generated one has about 25. */
const longestCorrelationId = 1024;

const responseChannels: ReadonlySet<Channel> = new Set(Object.values(exchanges).map(({ response }) => response));

export function isResponseChannel(channel: Channel): boolean {
  return responseChannels.has(channel);
}

interface Unsolicited {
  readonly messages: WeakSet<BusMessage>;
  isAny: boolean;
}

/**
 * Shared by all copies of this package in a process. The command line contains a copy, and loads transports that use another one. If each
 * had its own set, a bus would carry out what a transport has marked.
 */
const shared = globalThis as { [key: symbol]: Unsolicited | undefined };
const key = Symbol.for('tenterhook.unsolicited');
shared[key] ??= { messages: new WeakSet(), isAny: false };
const unsolicited: Unsolicited = shared[key];

/**
 * Marks a response or a cancel that must have no effect. Subscribers receive it, but it settles or ends no request. The bus marks responses
 * that callers send with publish(). Transports between processes mark what another process has no right to send.
 */
export function markUnsolicited(message: BusMessage): void {
  unsolicited.isAny = true;
  unsolicited.messages.add(message);
}

export function isUnsolicited(message: BusMessage): boolean {
  // Few programs publish a response. The flag avoids a lookup for each request.
  return unsolicited.isAny && unsolicited.messages.has(message);
}

export function failure(code: ErrorCode, message: string, details?: Record<string, unknown>): Failure {
  return { success: false, error: details === undefined ? { code, message } : { code, message, details } };
}

/**
 * Creates the response message from the answer of a responder. Only the fields of a response are copied, so that e.g. an `Error` object is
 * not sent. An answer with an invalid shape is a bug of the responder, and becomes an error response (field failure 79).
 */
export function responseMessage(channel: RequestChannel, correlationId: string, answer: unknown): BusMessage {
  const payload = readAnswer(correlationId, answer);
  const trace = readTrace(answer);
  // The payload is new, so the field can be added. A spread before it would take more than a microsecond.
  if (trace !== undefined) payload.trace = trace;
  return { type: exchanges[channel].response, payload } as BusMessage;
}

function readTrace(answer: unknown): TraceContext | undefined {
  try {
    return isPlainObject(answer) && 'trace' in answer ? readTraceContext(answer['trace']) : undefined;
  } catch {
    // As in `readAnswer`.
    return undefined;
  }
}

type Response = { readonly correlationId: string; trace?: TraceContext } & (
  | { readonly success: true; readonly output?: unknown }
  | Failure
);

function readAnswer(correlationId: string, answer: unknown): Response {
  try {
    if (isPlainObject(answer)) {
      const { success, output, error } = answer;
      if (success === true) return output === undefined ? { correlationId, success } : { correlationId, success, output };
      if (success === false && isPlainObject(error)) {
        const { code, message, details } = error;
        if (isErrorCode(code) && typeof message === 'string') {
          return { correlationId, ...failure(code, message, isPlainObject(details) ? details : undefined) };
        }
      }
    }
  } catch {
    // A field whose getter throws is treated as missing.
  }
  const described = isPlainObject(answer) ? 'an object of another shape' : describeValue(answer);
  const message = `The responder answered ${described}. It must answer { success: true, output } or { success: false, error }.`;
  return { correlationId, ...failure('internal_error', message) };
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code);
}

/**
 * Returns why a request cannot be answered under its own id, or undefined if it can. If it cannot, a generated id is used: an answer under
 * its own id would match no request, or another one (field failure 79).
 */
export function findRequestError(
  channel: Channel,
  payload: unknown,
  isInUse: (correlationId: string) => boolean,
): ResponseError | undefined {
  if (!isPlainObject(payload)) {
    return failure('invalid_request', `The payload of ${channel} must be an object, and is ${describeValue(payload)}.`).error;
  }
  const { correlationId } = payload;
  if (correlationId === undefined) return undefined;
  if (!isCorrelationId(correlationId)) {
    const message = `correlationId must be a string of 1 to ${longestCorrelationId} characters, and is ${describeValue(correlationId)}. Leave it out to let the bus generate one.`;
    return failure('invalid_request', message, { correlationId: toPlainData(correlationId) }).error;
  }
  return isInUse(correlationId) ? idInUse(correlationId) : undefined;
}

/** Whether a value can be the id of a request. Ids are stored while requests are in flight, so the length is limited. */
export function isCorrelationId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestCorrelationId;
}

export function idInUse(correlationId: string): ResponseError {
  const message = `The correlationId ${describeValue(correlationId)} belongs to a request that is still in flight. Leave it out to let the bus generate one.`;
  return failure('invalid_request', message, { correlationId }).error;
}

/** Returns the given id as plain data, or a description of it. */
function toPlainData(value: unknown): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || value === '') return value;
  try {
    if (typeof value === 'object') {
      // A large or deeply nested value could not be sent back, and the request would have no answer.
      const text = JSON.stringify(value);
      if (text.length <= longestCorrelationId) return JSON.parse(text);
    }
  } catch {
    // The value has a cycle, or a toJSON that throws.
  }
  return describeValue(value);
}

/** Returns the answer to a request that no server received. */
export function noRespondersError(channel: RequestChannel, payload: unknown): Failure {
  const field = routingFieldOf(channel);
  if (field === undefined) {
    return failure('no_responders', `No responder on ${channel}. Call bus.respond('${channel}', …) before the first request.`);
  }
  const route = isPlainObject(payload) ? payload[field] : undefined;
  if (typeof route !== 'string' || route === '') {
    return failure(
      'invalid_request',
      `${field} must be a non-empty string, and is ${describeValue(route)}. It selects the responder of ${channel}.`,
    );
  }
  const message = `No responder on ${channel} has the ${field} ${describeValue(route)}. Call bus.respond('${channel}', …, { route }) first.`;
  return failure('no_responders', message);
}

/** Why the transport did not carry a request. */
export interface SendError {
  readonly code: ErrorCode;
  readonly message: string;
  /** Whether it is certain that no server received the request. Only then is the failure published as its response. */
  readonly isNowhere: boolean;
  /** True if another request in flight has the id. The response then has another id. */
  readonly isIdTaken?: true;
}

const refused: ReadonlySet<unknown> = new Set(['too_large', 'not_json']);

export function sendError(transportName: string, error: unknown): SendError {
  const message = `The transport ${transportName} did not carry the request: ${describeThrown(error)}`;
  if (codeOf(error) === 'id_in_use') return { code: 'invalid_request', message, isNowhere: true, isIdTaken: true };
  if (codeOf(error) === 'overloaded') return { code: 'overloaded', message, isNowhere: true };
  if (refused.has(codeOf(error))) return { code: 'invalid_request', message, isNowhere: true };
  return { code: isCutOff(error) ? 'disposed' : 'internal_error', message, isNowhere: false };
}

/**
 * Whether a response that could not be sent must not be replaced. Either the connection is closed, or the response may have arrived after
 * all and a replacement would be a second one.
 */
export function isCutOff(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'disposed' || code === 'disconnected';
}

/**
 * Returns a copy of a payload with this id. The object is created with `correlationId`, and then the payload is spread into it, which takes
 * 50 ns. On Node 20, adding the id after the spread takes 450 ns, more than half of a request.
 */
export function withCorrelationId<Payload extends object>(payload: Payload, correlationId: string): Payload & { correlationId: string } {
  const copy = { correlationId, ...payload };
  copy.correlationId = correlationId;
  return copy;
}
