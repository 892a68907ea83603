import type { BusMessage } from '@tenterhook/protocol';

/** The headers of messages. Programs that route or trace messages can read them; the body alone decides what a message means. */
export const headerNames = {
  /** The session of the client that sent the message. */
  from: 'Tenterhook-From',
  /** The correlation id, percent-encoded. Left out if it is longer than 512 characters. */
  correlationId: 'Tenterhook-Correlation-Id',
  /** How long the sender of the request waits, in milliseconds. A time was rejected, because the clocks of two machines differ. */
  timeoutMs: 'Tenterhook-Timeout-Ms',
  /** The subject of the replies to a request in a stream. The stream uses the reply subject of the message itself. */
  replies: 'Tenterhook-Replies',
  /** The token of the worker that answers a request in a stream. The same answer may be sent twice, and another worker may answer, too. */
  token: 'Tenterhook-Token',
  /** The name of an object of the server that has the content of the message, because it is larger than the limit. */
  object: 'Tenterhook-Object',
  /** The trace context of W3C, from the field `trace` of a request. */
  traceparent: 'traceparent',
  tracestate: 'tracestate',
} as const;

const longestValue = 512;

/** Returns the headers of a message as pairs. */
export function headersOf({ payload }: BusMessage, session: string, timeoutMs?: number): readonly (readonly [string, string])[] {
  const { correlationId, trace } = (payload ?? {}) as { correlationId?: unknown; trace?: unknown };
  const pairs: (readonly [string, string])[] = [];
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && value.length <= longestValue) pairs.push([name, value]);
  };
  add(headerNames.from, session);
  add(headerNames.correlationId, encoded(correlationId));
  if (timeoutMs !== undefined) add(headerNames.timeoutMs, String(Math.ceil(timeoutMs)));
  if (trace === undefined || trace === null) return pairs;
  const { traceparent, tracestate } = trace as { traceparent?: unknown; tracestate?: unknown };
  add(headerNames.traceparent, printable(traceparent));
  add(headerNames.tracestate, printable(tracestate));
  return pairs;
}

/** Returns the timeout of a header in milliseconds, or undefined if there is none or it is not a number. */
export function readTimeoutMs(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,10}$/.test(value) ? Number(value) : undefined;
}

function encoded(correlationId: unknown): string | undefined {
  if (typeof correlationId !== 'string' || correlationId.length > longestValue) return undefined;
  if (/^[\w-]*$/.test(correlationId)) return correlationId;
  try {
    return encodeURIComponent(correlationId);
  } catch {
    // Half of a surrogate pair.
    return undefined;
  }
}

function printable(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e][\x20-\x7e]*$/.test(value) ? value : undefined;
}
