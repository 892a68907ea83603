import { readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, sep } from 'node:path';
import { contentPolicy } from './html/layout.js';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

export interface ServedSite {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a built site on 127.0.0.1, as a server of static files does. Rejects if the port is in use.
 *
 * @param port 0 is any free port.
 */
export async function serveSite(folder: string, port: number): Promise<ServedSite> {
  const server = createServer((request, response) => {
    const found = request.method === 'GET' || request.method === 'HEAD' ? fileAt(folder, request.url ?? '/') : undefined;
    const file = found ?? join(folder, '404.html');
    response.writeHead(found === undefined ? 404 : 200, {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy': `${contentPolicy}; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : readFileSync(file));
  });
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** Returns the file of an address; undefined if the site has none. */
function fileAt(folder: string, address: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(new URL(address, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
  if (path.includes('\0') || !file.startsWith(`${folder}${sep}`)) return undefined;
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}
