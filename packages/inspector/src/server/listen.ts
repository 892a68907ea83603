import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TenterhookError } from '@tenterhook/protocol';
import { codeOf } from '@tenterhook/runtime/text';
import { stalledMs } from './answers.js';
import { securityHeaders } from './headers.js';
import type { Handler } from './routes.js';

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Ends all connections. Idempotent. */
  close(): Promise<void>;
}

/** The address, not the name `localhost`, which may resolve to another one. There is no option for it: `ssh -L` is the way from elsewhere. */
export const address = '127.0.0.1';

const mostConnections = 16;
const headersMs = 5_000;
const requestMs = 15_000;
/** How often connections are checked. A connection that sends nothing lives up to this time longer. */
const checkMs = 1_000;
const mostHeaderBytes = 16 * 1024;
/** A browser asks for some hundreds of details over one connection. */
const mostRequests = 1_000;

/** Listens at a port of 127.0.0.1, or at one that the system chooses. Rejects with `port_in_use` if another program has the port. */
export async function listen(port: number, handle: Handler): Promise<Listening> {
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: mostHeaderBytes,
    // The guard refuses a request without a host like one with a wrong host.
    requireHostHeader: false,
  });
  server.maxConnections = mostConnections;
  server.maxRequestsPerSocket = mostRequests;
  // Node drops headers beyond a number without an error, and the guard would not see a second host or an origin. Their bytes are limited.
  server.maxHeadersCount = 0;
  server.setTimeout(stalledMs, (socket) => socket.destroy());
  // A request with `Expect` would otherwise be answered before the guard has seen it.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
      handle(request, response);
    });
  }
  server.on('clientError', (error, socket) => {
    if (socket.writable && codeOf(error) !== 'ECONNRESET') socket.end(badRequest);
    else socket.destroy();
  });
  await open(server, port);
  let closing: Promise<void> | undefined;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

const badRequest = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n${Object.entries(securityHeaders)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')}\r\n`;

function open(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isUsed = codeOf(error) === 'EADDRINUSE' || codeOf(error) === 'EACCES';
      const message = `Port ${port} of ${address} cannot be used (${codeOf(error)}). Pass another port, or none: the system then chooses one.`;
      reject(isUsed ? new TenterhookError('port_in_use', message, { cause: error }) : error);
    });
    server.listen({ host: address, port, exclusive: true }, resolve);
  });
}
