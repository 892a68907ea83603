import {
  type BusMessage,
  type ErrorCode,
  errorCodes,
  exchanges,
  type RequestChannel,
  type ResponseError,
  type ResponseOf,
} from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue } from '@tenterhook/runtime/text';

/** What a responder answers: the response without its correlation id. */
export type Answer<C extends RequestChannel = RequestChannel> =
  | { readonly success: true; readonly output?: ResponseOf<C>['output'] }
  | { readonly success: false; readonly error: ResponseError };

export type AnyResponse = ResponseOf<RequestChannel>;

export interface Failure {
  readonly success: false;
  readonly error: ResponseError;
}

export function failure(code: ErrorCode, message: string, details?: Record<string, unknown>): Failure {
  return { success: false, error: details === undefined ? { code, message } : { code, message, details } };
}

/**
 * The response to a request, from whatever its responder answered. Only the fields of a response are copied, so that nothing else (an
 * `Error` with a code, an error beside a success) gets onto the bus; an answer that is none is a bug of the responder (field failure 79).
 */
export function responseMessage(channel: RequestChannel, correlationId: string, answer: unknown): BusMessage {
  return { type: exchanges[channel].response, payload: { correlationId, ...readAnswer(answer) } } as BusMessage;
}

function readAnswer(answer: unknown): { success: true; output?: unknown } | Failure {
  try {
    if (isPlainObject(answer)) {
      const { success, output, error } = answer;
      if (success === true) return output === undefined ? { success } : { success, output };
      if (success === false && isPlainObject(error)) {
        const { code, message, details } = error;
        if (isErrorCode(code) && typeof message === 'string') return failure(code, message, isPlainObject(details) ? details : undefined);
      }
    }
  } catch {
    // A field that throws when it is read is no field.
  }
  return failure(
    'internal_error',
    `The responder answered ${describeAnswer(answer)}; { success: true, output } or { success: false, error } was due.`,
  );
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code);
}

function describeAnswer(answer: unknown): string {
  return isPlainObject(answer) ? 'an object of another shape' : describeValue(answer);
}
