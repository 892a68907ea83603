import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPlainObject } from '@tenterhook/runtime/json';
import { escapedJson } from '../api/json.js';

/** The maximum number of bytes of the body of a request. */
const mostBodyBytes = 1024 * 1024;

/**
 * A connection in which nothing is sent or received for so long is cut off, in milliseconds, so that a reader that takes nothing cannot hold it.
 * The stream of the page sends something each 15 s.
 */
export const stalledMs = 60_000;

/** Waits for work, and keeps the connection open meanwhile: a hook may run for longer than a connection may be silent. */
export async function keepingOpen<Result>(response: ServerResponse, work: Promise<Result>): Promise<Result> {
  response.setTimeout(0);
  try {
    return await work;
  } finally {
    response.setTimeout(stalledMs);
  }
}

/** Ends a response without a body. */
export function sendStatus(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { ...headers, 'Content-Length': '0' });
  response.end();
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  sendJsonText(response, escapedJson(value), status);
}

/** Sends JSON that is a text, or bytes, already. */
export function sendJsonText(response: ServerResponse, json: string | Uint8Array, status = 200): void {
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(bytes.length) });
  response.end(bytes);
}

/** What the page shows if a request cannot be answered: a code, and a sentence with what to do. */
export function sendProblem(response: ServerResponse, status: number, code: string, message: string): void {
  sendJson(response, { error: { code, message } }, status);
}

/** Reads a body. Undefined if it is too long, or not a JSON object; the response is then sent. */
export async function readBody(request: IncomingMessage, response: ServerResponse): Promise<Readonly<Record<string, unknown>> | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > mostBodyBytes) {
      // The rest is not read, so the connection cannot be used again.
      response.setHeader('Connection', 'close');
      sendProblem(response, 413, 'too_large', `The body has more than ${mostBodyBytes} bytes. Send a smaller input.`);
      return undefined;
    }
    pieces.push(piece);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    if (isPlainObject(value)) return value;
  } catch {
    // Answered below.
  }
  sendProblem(response, 400, 'invalid_request', 'The body must be a JSON object.');
  return undefined;
}
