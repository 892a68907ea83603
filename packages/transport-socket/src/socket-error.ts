import { TenterhookError, type TenterhookErrorOptions } from '@tenterhook/protocol';
import { describeValue } from '@tenterhook/runtime/text';

/**
 * The code of an error:
 * - `address_in_use`: another process listens at the path, or there is a file that is not a socket.
 * - `invalid_path`: the path is too long for a socket, or its directory cannot be used.
 * - `no_hub`: no hub answered at the path in time.
 * - `version_mismatch`: the other side uses another version of the protocol.
 * - `too_many_connections`: the hub has reached its limit of connections.
 * - `cancelled`: the signal aborted before the connection was made, or before the hub listened.
 * - `too_large`, `not_json`, `malformed`: the message cannot be sent, and no other process has received it.
 * - `refused`: only another process may send this message, or serve this route. A request may be cancelled only by the process that made
 *   it, and answered only by the process that received it. A handler engine may be announced only by the process that answers its calls.
 * - `id_in_use`: another unanswered request has the same correlation id.
 * - `overloaded`: this process has too many unanswered requests.
 * - `not_ours`: the socket, or its directory, belongs to another user, or other users can replace it.
 * - `disconnected`: there is no connection, or it was lost before the hub reported the delivery of the message.
 * - `disposed`: the transport is closed.
 */
export type SocketErrorCode =
  | 'address_in_use'
  | 'invalid_path'
  | 'no_hub'
  | 'version_mismatch'
  | 'too_many_connections'
  | 'cancelled'
  | 'too_large'
  | 'not_json'
  | 'malformed'
  | 'refused'
  | 'id_in_use'
  | 'overloaded'
  | 'not_ours'
  | 'disconnected'
  | 'disposed';

/** A failure of a socket transport. Wrong arguments, such as a limit of -1, cause a TypeError instead. */
export class SocketTransportError extends TenterhookError {
  declare readonly code: SocketErrorCode;
  /** A sentence that says what to do. The message ends with it. */
  readonly remedy: string;

  static {
    SocketTransportError.prototype.name = 'SocketTransportError';
  }

  constructor(code: SocketErrorCode, what: string, remedy: string, options?: TenterhookErrorOptions) {
    super(code, `${what} ${remedy}`, options);
    this.remedy = remedy;
  }
}

export function disposed(): SocketTransportError {
  return new SocketTransportError('disposed', 'The socket transport is closed.', 'Publish before close().');
}

export function refused(what: string): SocketTransportError {
  return new SocketTransportError(
    'refused',
    what,
    'Answer with respond(), cancel with the bus that made the request, and announce with the bus of the engine.',
  );
}

/** A route belongs to the process that serves it first. */
export function routeTaken(channel: string, route: string | undefined): SocketTransportError {
  const what = `Another process on the bus serves the route ${describeValue(route)} of ${channel}.`;
  return new SocketTransportError('refused', what, 'Use another route, or stop the other server first.');
}

export function idInUse(id: string): SocketTransportError {
  const what = `The correlationId ${describeValue(id)} belongs to a request that has no answer yet.`;
  return new SocketTransportError('id_in_use', what, 'Leave the correlationId out to let the bus generate one.');
}

export function overloaded(mostRequests: number): SocketTransportError {
  const what = `This process has ${mostRequests} requests without an answer, which is the limit.`;
  return new SocketTransportError('overloaded', what, 'Retry later, or make fewer requests at the same time.');
}

export function disconnected(path: string): SocketTransportError {
  const what = `There is no connection to the hub at ${path}, or it was lost before the hub reported the delivery of the message.`;
  return new SocketTransportError(
    'disconnected',
    what,
    'The client reconnects by itself; onConnectionChange reports when the connection is restored.',
  );
}

export function notJson(cause: unknown, reason: string): SocketTransportError {
  return new SocketTransportError('not_json', `The message cannot be written as JSON: ${reason}.`, 'Publish plain data.', { cause });
}

export function tooLarge(bytes: number, maxMessageBytes: number): SocketTransportError {
  const what = `The message has at least ${bytes} bytes. The limit is ${maxMessageBytes}.`;
  return new SocketTransportError('too_large', what, 'Send less, or raise maxMessageBytes on both sides.');
}
