import { access } from '../state/page-state.js';
import { forgetToken, takeToken } from './token.js';

/** An answer of the server that is not a success. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
  }
}

/** Sends a request with the token. Rejects with a RequestError if the server refuses it, and with a TypeError if it does not answer. */
export async function request(
  path: string,
  { body, signal }: { body?: unknown; signal?: AbortSignal | undefined } = {},
): Promise<Response> {
  const token = takeToken();
  if (token === undefined) {
    access.value = 'no-token';
    throw new RequestError(401, 'This tab has no token.');
  }
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) {
    if (access.peek() === 'too-many') access.value = 'granted';
    return response;
  }
  if (response.status === 401) {
    forgetToken();
    access.value = 'refused';
  } else if (response.status === 429) {
    access.value = 'too-many';
  }
  throw new RequestError(response.status, await messageOf(response));
}

/** Requests a JSON value. The server is the same program as the page, so the value is not checked. */
export async function requestJson<Value>(path: string, options: Parameters<typeof request>[1] = {}): Promise<Value> {
  const response = await request(path, options);
  return (await response.json()) as Value;
}

/** Returns a sentence for a request that failed. */
export function describeFailure(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return 'The inspector does not answer. Look at the terminal in which it was started.';
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  try {
    const value = JSON.parse(text) as { readonly message?: unknown; readonly error?: { readonly message?: unknown } };
    const message = value.message ?? value.error?.message;
    if (typeof message === 'string') return message;
  } catch {
    // The answer is not JSON, so its status is all that is known.
  }
  return response.status === 404
    ? 'The inspector does not have this.'
    : `The inspector refused the request with status ${response.status}.`;
}
