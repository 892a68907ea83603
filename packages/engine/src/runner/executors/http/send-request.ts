import { type ClientRequest, request as httpRequest, type IncomingMessage, validateHeaderName, validateHeaderValue } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Exit, Invocation } from '@tenterhook/protocol';
import { BoundedOutput } from '@tenterhook/spawner/internal';
import { runUntilDeadline, type TimedRun } from '../run-until-deadline.js';
import { type AddressPolicy, AddressRefused, allowingRemedy, guardedLookup, type ResolveHost } from './address-policy.js';

type HttpInvocation = Extract<Invocation, { readonly kind: 'http' }>;

/** A request that can be made. */
export interface RequestTarget {
  readonly isSecure: boolean;
  /** The host for messages. It includes the port if this is not the default port, and no secrets. */
  readonly shownHost: string;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Why a request cannot be sent, as a sentence for people. The sentence contains no header values, credentials or query. */
export interface TargetProblem {
  readonly problem: string;
}

/**
 * Headers that control the connection or mark the end of a message. A settings file that could set them could hide a second request in
 * the first.
 */
const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function readTarget({ url: text, headers, body }: HttpInvocation): RequestTarget | TargetProblem {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return { problem: 'its URL is not valid: write a URL such as https://example.org/hook' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { problem: `its URL begins with "${url.protocol}". It must begin with http: or https:` };
  }
  const problem = problemOf(headers);
  if (problem !== undefined) return { problem };
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const isSecure = url.protocol === 'https:';
  return {
    isSecure,
    shownHost: url.host,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (isSecure ? 443 : 80)),
    path: `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      accept: 'application/json',
      'content-type': 'application/json',
      ...authorizationOf(url),
      ...own,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    },
  };
}

function problemOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    const shown = JSON.stringify(name.slice(0, 80));
    if (!isValid(() => validateHeaderName(name))) return `${shown} is not a valid header name: use letters, digits and hyphens`;
    if (ofTheConnection.has(name.toLowerCase())) return `the header ${shown} belongs to the connection and cannot be set: leave it out`;
    if (typeof value === 'string' && isValid(() => validateHeaderValue(name, value))) continue;
    return `the value of the header ${shown} cannot be sent: it must be one line of Latin-1 text`;
  }
  return undefined;
}

function isValid(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

function authorizationOf({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {};
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Returns the percent-decoded text. A text with invalid escapes is returned unchanged, because a password may contain a percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface HookRequest {
  readonly target: RequestTarget;
  readonly body: string;
  /** Timeout in milliseconds from now. It includes the lookup of the name. */
  readonly timeoutMs: number;
  /** The maximum number of bytes of the body. The rest of a longer body is not read. */
  readonly bodyBytes: number;
  readonly signal: AbortSignal;
  readonly policy: AddressPolicy;
  readonly resolve: ResolveHost;
  /** Called with each socket, so that dispose() can wait until it is closed. */
  readonly onSocket: (socket: Socket) => void;
}

/**
 * Sends one POST. Never rejects. Redirects are not followed, because they could send the credentials to a host that the settings do not
 * name. Connections are not reused. A server may close a connection just when the next request is sent, and then it would be unknown
 * whether the request arrived.
 */
export function sendRequest({ target, body, timeoutMs, bodyBytes, signal, policy, resolve, onSocket }: HookRequest): Promise<Exit> {
  return runUntilDeadline(timeoutMs, signal, ({ settle, elapsedMs }) => {
    let socket: Socket | undefined;
    let request: ClientRequest | undefined;
    let isAnswered = false;
    const end = () => {
      request?.destroy();
      socket?.destroy();
    };
    const fail = (error: unknown) => settle(requestFailure(error, target.shownHost, elapsedMs()));

    // A URL with an address causes no lookup, so the address is checked here. A name is checked at its lookup.
    if (isIP(target.host) !== 0 && !policy.allows(target.host, target.host)) {
      fail(new AddressRefused(target.host, target.host));
      return end;
    }
    try {
      const connecting = connect(target, guardedLookup(policy, resolve));
      socket = connecting;
      onSocket(connecting);
      connecting.on('error', fail);
      const { path, headers } = target;
      const send = target.isSecure ? httpsRequest : httpRequest;
      request = send({ method: 'POST', path, headers, setHost: false, createConnection: () => connecting });
      request.on('response', (response) => {
        isAnswered = true;
        readBody(response, bodyBytes, { settle, fail, elapsedMs });
      });
      request.on('error', fail);
      // If the server answers with an upgrade that was not requested, the request ends without a response and without an error event.
      // Only `close` is emitted.
      request.on('close', () => isAnswered || fail(cutOff));
      request.end(body);
    } catch (error) {
      fail(error);
    }
    return end;
  });
}

/** The error of a connection that ends too early. */
const cutOff = { code: 'ECONNRESET' };

function connect({ isSecure, host, port }: RequestTarget, lookup: ReturnType<typeof guardedLookup>): Socket {
  if (!isSecure) return netConnect({ host, port, lookup });
  // In TLS the server name has no final dot. An address is not a valid server name.
  const servername = isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {};
  return tlsConnect({ host, port, lookup, ALPNProtocols: ['http/1.1'], ...servername });
}

/** The maximum number of bytes to read in one turn of the event loop. Reading more would delay the deadlines of other hooks. */
const mostAtOnce = 256 * 1024;

interface Settling extends TimedRun {
  readonly fail: (error: unknown) => void;
}

function readBody(response: IncomingMessage, bodyBytes: number, { settle, fail, elapsedMs }: Settling): void {
  const kept = new BoundedOutput(bodyBytes);
  const answer = (): Exit => {
    const { text, truncated } = kept.read(bodyBytes);
    const ends = endsWithConnection(response) ? { endsWithConnection: true } : {};
    return { kind: 'response', status: response.statusCode ?? 0, body: text, truncated, ...ends, durationMs: elapsedMs() };
  };
  let readAtOnce = 0;
  response.on('data', (chunk: Buffer) => {
    kept.add(chunk, chunk.length);
    if (kept.isFull) return settle(answer());
    readAtOnce += chunk.length;
    if (readAtOnce < mostAtOnce) return;
    readAtOnce = 0;
    response.pause();
    setImmediate(() => response.resume());
  });
  response.on('end', () => (response.complete ? settle(answer()) : fail(cutOff)));
  response.on('error', fail);
  response.on('close', () => fail(cutOff));
}

/**
 * Whether an answer has no length (RFC 9112, section 6.3). The end of the connection is then the end of the answer, so an answer that was
 * cut off looks complete.
 */
function endsWithConnection({ headers, statusCode }: IncomingMessage): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined && statusCode !== 204 && statusCode !== 304;
}

const closed = (host: string) => `${host} closed the connection before the answer was complete. Check the log of that server`;

const reasons: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `the host name in "${host}" does not exist. Check the URL`,
  EAI_AGAIN: (host) => `the host name in "${host}" could not be resolved. Check the network`,
  ECONNREFUSED: (host) => `no server listens at ${host}. Start the server, or check the port in the URL`,
  ECONNRESET: closed,
  EPIPE: closed,
};

/** Returns the exit for a connection error. The message of Node is not used, because it may quote a secret of the request. */
function requestFailure(error: unknown, shownHost: string, durationMs: number): Exit {
  if (error instanceof AddressRefused) return addressRefused(error, durationMs);
  const code = errorCode(error);
  return { kind: 'unrunnable', code: 'request_failed', message: failureMessage(code, shownHost), durationMs };
}

function failureMessage(code: string, host: string): string {
  const known = reasons[code];
  if (known !== undefined) return known(host);
  if (code.startsWith('HPE_')) return `${host} sent an answer that is not HTTP (${code}). Check the port in the URL`;
  if (/CERT|SSL|TLS|ISSUER|SIGNATURE|EPROTO/.test(code)) {
    return `the secure connection to ${host} failed (${code}). Fix its certificate, or name the file of its authority in NODE_EXTRA_CA_CERTS`;
  }
  return `${host} could not be reached (${code})`;
}

function addressRefused({ host, address }: AddressRefused, durationMs: number): Exit {
  const what = address === host ? host : `${host} resolves to ${address}, which`;
  const remedy = allowingRemedy(host);
  return {
    kind: 'unrunnable',
    code: 'address_refused',
    message: `${what} is a private address, and hooks may not send requests to it. ${remedy}`,
    durationMs,
  };
}

function errorCode(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'unknown error';
}
