import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Exit } from '@tenterhook/protocol';
import { BoundedOutput } from '@tenterhook/spawner/internal';
import { runUntilDeadline, type TimedRun } from '../run-until-deadline.js';
import { type AddressPolicy, AddressRefused, guardedLookup, type ResolveHost } from './address-policy.js';
import type { RequestTarget } from './request-target.js';

export interface HookRequest {
  readonly target: RequestTarget;
  readonly body: string;
  /** Milliseconds from now until the request is `timed-out`, the lookup of the name included. */
  readonly timeoutMs: number;
  /** The most bytes of the body that are kept; a longer body is not read to its end. */
  readonly bodyBytes: number;
  readonly signal: AbortSignal;
  readonly policy: AddressPolicy;
  readonly resolve: ResolveHost;
  /** Called with each socket, so that a disposal can wait until it is closed. */
  readonly onSocket: (socket: Socket) => void;
}

/**
 * One POST, to its end. Never rejects. A redirect is an answer like any other: to follow it would lead to a place that the settings do not name,
 * perhaps with their credentials. Each request has its own connection: a kept one may be closed by the server at the moment
 * when the next request is sent, and then it is unknown whether that request arrived.
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

    // A name is checked when it is looked up; an address is not looked up.
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
      // An unrequested upgrade is not a response, and ends without an error.
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
  // An address is no name that a server could be asked for, and neither is the last dot of one.
  const servername = isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {};
  return tlsConnect({ host, port, lookup, ALPNProtocols: ['http/1.1'], ...servername });
}

/** The most bytes that are read in one turn of the loop: floods of several servers must not delay the deadlines of other hooks. */
const mostAtOnce = 256 * 1024;

interface Settling extends TimedRun {
  readonly fail: (error: unknown) => void;
}

function readBody(response: IncomingMessage, bodyBytes: number, { settle, fail, elapsedMs }: Settling): void {
  const kept = new BoundedOutput(bodyBytes);
  const answer = (): Exit => {
    const { text, truncated } = kept.read(bodyBytes);
    return { kind: 'response', status: response.statusCode ?? 0, body: text, truncated, durationMs: elapsedMs() };
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

const closed = (host: string) => `${host} closed the connection before the whole answer was there. Look into the log of that server`;

const reasons: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `there is no host of the name in "${host}". Check the URL`,
  EAI_AGAIN: (host) => `the name in "${host}" could not be looked up just now. Check the network`,
  ECONNREFUSED: (host) => `nothing listens at ${host}. Start the server, or check the port in the URL`,
  ECONNRESET: closed,
  EPIPE: closed,
};

/**
 * An error of a connection as an exit, in our own words: the messages of Node may quote a secret of the request. `shownHost` is
 * the name that messages may contain.
 */
function requestFailure(error: unknown, shownHost: string, durationMs: number): Exit {
  if (error instanceof AddressRefused) return addressRefused(error, durationMs);
  const code = errorCode(error);
  return { kind: 'unrunnable', code: 'request_failed', message: failureMessage(code, shownHost), durationMs };
}

function failureMessage(code: string, host: string): string {
  const known = reasons[code];
  if (known !== undefined) return known(host);
  if (code.startsWith('HPE_')) return `${host} answered something that is no HTTP (${code}). Check the port in the URL`;
  if (/CERT|SSL|TLS|ISSUER|SIGNATURE|EPROTO/.test(code)) {
    return `no secure connection to ${host} came about (${code}). Mend its certificate, or give Node its authority in NODE_EXTRA_CA_CERTS`;
  }
  return `${host} could not be reached (${code})`;
}

function addressRefused({ host, address }: AddressRefused, durationMs: number): Exit {
  const what = address === host ? host : `${host} leads to ${address}, which`;
  const remedy = `To allow it, list it in http.allowPrivateAddresses: ["${host}"]`;
  return {
    kind: 'unrunnable',
    code: 'address_refused',
    message: `${what} is a private address, where no hook may go. ${remedy}`,
    durationMs,
  };
}

function errorCode(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'unknown error';
}
