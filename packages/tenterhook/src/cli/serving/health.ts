import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeThrown } from '@tenterhook/runtime/text';
import { CommandError } from '../errors/exit-status.js';
import type { ServedNamespace } from './served-namespace.js';

export interface Health {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Answers http requests on a port of this machine only. `/healthz` has the status 200 while the process works. `/readyz` has 200 while all
 * namespaces answer requests, and 503 otherwise. Both have the load as JSON.
 */
export async function openHealth(port: number, served: readonly ServedNamespace[]): Promise<Health> {
  const server = createServer(({ method, url }, response) => {
    const isReady = served.every((namespace) => namespace.isReady);
    const isKnown = (method === 'GET' || method === 'HEAD') && (url === '/healthz' || url === '/readyz');
    response.statusCode = !isKnown ? 404 : url === '/readyz' && !isReady ? 503 : 200;
    response.setHeader('content-type', 'application/json');
    const namespaces = Object.fromEntries(served.map(({ name, load }) => [name, load]));
    response.end(isKnown ? JSON.stringify({ ready: isReady, namespaces }) : '{}');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((error: unknown) => {
    throw new CommandError({ code: 'invalid_request', message: `--health-port ${port}: ${describeThrown(error)}. Choose another port.` });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
