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
  const alike = findAlike(message, envelopeKeys);
  if (alike !== undefined) return invalid(`has a key ${JSON.stringify(alike)} that a reader could take for another`);
  const hasId = Object.hasOwn(message, 'id');
  const isResponse = Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error');
  if (!Object.hasOwn(message, 'method')) {
    if (!isResponse) return invalid('has neither a method nor a result');
    if (hasId && id !== null && !isId(id)) return invalid('has an id that is neither a text nor a number');
    return { kind: 'response', message, id: known };
  }
  if (isResponse) return invalid('is a request and a response at the same time');
  if (typeof method !== 'string') return invalid('has a method that is not a text');
  const problem = findAmbiguity(method, params);
  if (problem !== undefined) return invalid(problem);
  const fields = { message, method, params: isPlainObject(params) ? params : {} };
  if (!hasId) return { kind: 'notification', ...fields };
  if (!isId(id)) return invalid('has an id that is neither a text nor a number');
  return { kind: 'request', id, ...fields };
}

const envelopeKeys = ['id', 'method', 'params', 'result', 'error'];

/** The parameters that say which tool runs with what, and whose result is meant. */
const callKeys = ['name', 'arguments', 'task', 'taskId', 'requestState', 'inputResponses', '_meta'];

const reviewed = ['tools/call', 'tasks/result', 'tasks/get'];

/** Says why a reader could find another call in the request than we do. Other requests may have any parameters. */
function findAmbiguity(method: string, params: unknown): string | undefined {
  const plain = fold(method.trim());
  if (!reviewed.includes(plain)) return undefined;
  if (plain !== method) return `has a method ${JSON.stringify(method)} that a reader could take for "${plain}"`;
  if (!isPlainObject(params)) return undefined;
  const alike = findAlike(params, callKeys);
  if (alike !== undefined) return `has a parameter ${JSON.stringify(alike)} that a reader could take for another`;
  return typeof params['name'] === 'string' && params['name'].includes('\0') ? 'has a NUL in the name of the tool' : undefined;
}

/** Returns a key that some readers do not tell from one of `names`. JSON readers of Go ignore the case, and some of C end a text at NUL. */
function findAlike(object: Message, names: readonly string[]): string | undefined {
  return Object.keys(object).find((key) => !names.includes(key) && names.some((name) => fold(name) === fold(key)));
}

/** The two characters beyond ASCII are the ones that simple case folding maps to ASCII: long s and the Kelvin sign. */
function fold(text: string): string {
  const end = text.indexOf('\0');
  return (end < 0 ? text : text.slice(0, end)).trim().toLowerCase().replaceAll('\u017f', 's').replaceAll('\u212a', 'k');
}

export function createError(id: MessageId | null, code: number, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

export function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}
