import { isPlainObject } from '@tenterhook/runtime/json';

/** A message as JSON, or a part of one. Messages are never changed: a changed one is a new object. */
export type Message = Readonly<Record<string, unknown>>;

export type MessageId = string | number;

/** The codes of JSON-RPC, and the one that MCP clients use for a connection that has ended. */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  connectionClosed: -32000,
} as const;

/** What a message is. `invalid` has the problem as the rest of a sentence that begins with "The message". */
export type Classified =
  | { readonly kind: 'request'; readonly message: Message; readonly id: MessageId; readonly method: string; readonly params: Message }
  | { readonly kind: 'notification'; readonly message: Message; readonly method: string; readonly params: Message }
  | { readonly kind: 'response'; readonly message: Message; readonly id: MessageId | null }
  | { readonly kind: 'invalid'; readonly id: MessageId | null; readonly problem: string };

/**
 * Says what a message is. A message that two readers could take for different things is invalid: a response with a method, an id of
 * another type, or a key `__proto__`, from which a reader that copies with `Object.assign` would get fields that we have not seen.
 */
export function classify(message: unknown): Classified {
  if (!isPlainObject(message)) return { kind: 'invalid', id: null, problem: 'is not a JSON object' };
  const { id, method, params } = message;
  const known = isId(id) ? id : null;
  const invalid = (problem: string) => ({ kind: 'invalid', id: known, problem }) as const;
  if (Object.hasOwn(message, '__proto__') || (isPlainObject(params) && Object.hasOwn(params, '__proto__'))) {
    return invalid('has a key "__proto__"');
  }
  const hasId = Object.hasOwn(message, 'id');
  const isResponse = Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error');
  if (!Object.hasOwn(message, 'method')) {
    if (!isResponse) return invalid('has neither a method nor a result');
    if (hasId && id !== null && !isId(id)) return invalid('has an id that is neither a text nor a number');
    return { kind: 'response', message, id: known };
  }
  if (isResponse) return invalid('is a request and a response at the same time');
  if (typeof method !== 'string') return invalid('has a method that is not a text');
  const fields = { message, method, params: isPlainObject(params) ? params : {} };
  if (!hasId) return { kind: 'notification', ...fields };
  if (!isId(id)) return invalid('has an id that is neither a text nor a number');
  return { kind: 'request', id, ...fields };
}

export function createError(id: MessageId | null, code: number, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}
