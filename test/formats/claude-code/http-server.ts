import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that the server received. */
export interface Posted {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server on 127.0.0.1 that records the requests. */
export interface HookServer {
  readonly url: string;
  readonly posted: Posted[];
}

/** What the server answers; with `hang` it never answers. */
export type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string } | 'hang';

/** Runs a server for the time of a test. */
export async function withServer<Result>(answer: Answer, use: (server: HookServer) => Promise<Result>): Promise<Result> {
  const posted: Posted[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      posted.push({ method, path: url, headers, body });
      if (answer === 'hang') return;
      response.writeHead(answer.status ?? 200, answer.headers);
      response.end(answer.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await use({ url: `http://127.0.0.1:${port}`, posted });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
