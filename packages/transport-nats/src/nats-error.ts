import { TenterhookError, type TenterhookErrorOptions } from '@tenterhook/protocol';
import { describeValue } from '@tenterhook/runtime/text';

/**
 * The code of an error:
 * - `no_server`: no NATS server accepted the connection in time.
 * - `not_allowed`: the server refused the credentials, or they do not permit what was tried.
 * - `unsupported_server`: the server does not have message headers. NATS has them since version 2.2.
 * - `missing_library`: the package `@nats-io/transport-node` is not installed.
 * - `cancelled`: the signal aborted before the connection was made.
 * - `no_stream`: the server does not have JetStream, or it does not answer questions about a stream of this client.
 * - `stream_refused`: the server refuses to create or to use a stream, or a stream of this name is for something else.
 * - `too_large`, `not_json`: the message cannot be sent, and no listener has received it.
 * - `refused`: only another process may send this message. A request may be cancelled only by the process that made it, and answered only
 *   by the process that received it.
 * - `id_in_use`: another unanswered request has the same correlation id.
 * - `overloaded`: this process has too many unanswered requests, or too many bytes wait to be sent, or a stream is full.
 * - `disconnected`: there is no connection, or it was lost before the server confirmed the message, or no worker confirmed the request in
 *   time. It is unknown whether a worker received it.
 * - `disposed`: the transport is closed.
 */
export type NatsErrorCode =
  | 'no_server'
  | 'not_allowed'
  | 'unsupported_server'
  | 'missing_library'
  | 'cancelled'
  | 'no_stream'
  | 'stream_refused'
  | 'too_large'
  | 'not_json'
  | 'refused'
  | 'id_in_use'
  | 'overloaded'
  | 'disconnected'
  | 'disposed';

/** A failure of a NATS transport. Wrong arguments, such as a limit of -1, cause a TypeError instead. */
export class NatsTransportError extends TenterhookError {
  declare readonly code: NatsErrorCode;
  /** A sentence that says what to do. The message ends with it. */
  readonly remedy: string;

  static {
    NatsTransportError.prototype.name = 'NatsTransportError';
  }

  constructor(code: NatsErrorCode, what: string, remedy: string, options?: TenterhookErrorOptions) {
    super(code, `${what} ${remedy}`, options);
    this.remedy = remedy;
  }
}

export function disposed(): NatsTransportError {
  return new NatsTransportError('disposed', 'The NATS transport is closed.', 'Publish before close().');
}

export function disconnected(cause?: unknown): NatsTransportError {
  const what = 'There is no connection to the NATS server, or it was lost before the server confirmed the message.';
  return new NatsTransportError(
    'disconnected',
    what,
    'The client reconnects by itself; onConnectionChange reports when the connection is restored.',
    cause === undefined ? undefined : { cause },
  );
}

export function unconfirmed(confirmMs: number): NatsTransportError {
  const what = `No worker confirmed the request within ${confirmMs} ms, and the server did not report that there is none. It is unknown whether a worker received the request.`;
  const remedy = 'Find out whether a worker hangs, and whether a program other than a worker subscribes to the subjects of requests.';
  return new NatsTransportError('disconnected', what, remedy);
}

export function refused(what: string): NatsTransportError {
  return new NatsTransportError('refused', what, 'Answer with respond(), and cancel with the bus that made the request.');
}

export function idInUse(id: string): NatsTransportError {
  const what = `The correlationId ${describeValue(id)} belongs to a request that has no answer yet.`;
  return new NatsTransportError('id_in_use', what, 'Leave the correlationId out to let the bus generate one.');
}

export function tooManyRequests(maxRequests: number): NatsTransportError {
  const what = `This process has ${maxRequests} requests without an answer, which is the limit.`;
  return new NatsTransportError('overloaded', what, 'Retry later, or raise maxRequests.');
}

export function tooManyBytes(maxWaitingBytes: number): NatsTransportError {
  const what = `More than ${maxWaitingBytes} bytes wait to be sent to the NATS server, which is the limit.`;
  return new NatsTransportError('overloaded', what, 'Retry later, or raise maxWaitingBytes.');
}

export function notJson(cause: unknown, reason: string): NatsTransportError {
  return new NatsTransportError('not_json', `The message cannot be written as JSON: ${reason}.`, 'Publish plain data.', { cause });
}

export function streamFull(stream: string, reason: string): NatsTransportError {
  const what = `The stream ${stream} stores nothing more: ${reason}.`;
  return new NatsTransportError('overloaded', what, 'Start more workers, or raise the limits of the stream or the storage of the server.');
}

/** `maxPayload` is the limit of the server. */
export function tooLarge(bytes: number, maxMessageBytes: number, maxPayload: number): NatsTransportError {
  const what = `The message has ${bytes} bytes. The limit is ${maxMessageBytes}; the server accepts ${maxPayload}, headers included.`;
  return new NatsTransportError('too_large', what, 'Send less, or raise max_payload in the configuration of the server.');
}

export function notAllowed(operation: string, subject: string, cause: unknown): NatsTransportError {
  const what = `The credentials of this client do not permit it to ${operation} ${describeValue(subject)}.`;
  return new NatsTransportError('not_allowed', what, 'Change the permissions of the user in the configuration of the server.', { cause });
}
