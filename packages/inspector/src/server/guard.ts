import type { IncomingMessage } from 'node:http';
import type { AccessToken } from './token.js';

/** Why a request is refused. A refusal has no body, so it tells nothing but its status. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is known about the path of a request before anything else of it is read. */
export interface GuardedRoute {
  /** `page` is `/` alone, which holds nothing secret. `api` needs the token, and `session` a code, which it uses up. */
  readonly kind: 'page' | 'asset' | 'api' | 'session' | 'none';
  /** The methods of the route. */
  readonly methods: readonly string[];
}

/**
 * Decides whether a request may be answered. The order of the checks matters: nothing of a request is read before it is known that it was
 * sent to this server (`Host`), by our page (`Sec-Fetch-Site`, `Origin`), in a known way, with the token.
 *
 * - `Host` is the only header that tells a rebound name apart: a page of `http://evil.test:PORT` that resolves to 127.0.0.1 sends neither
 *   `Origin` nor `Sec-Fetch-Site`.
 * - A page on another local port is `same-site`, so only `same-origin` is accepted.
 * - `/` is also opened from the address bar and from the file that opens the browser, which are `none` and `cross-site`.
 */
export function findRefusal(request: IncomingMessage, port: number, route: GuardedRoute, token: AccessToken): Refusal | undefined {
  const host = hostOf(request);
  if (host === undefined || !ownHosts(port).includes(host)) return { status: 421 };
  if (isForeign(request, host, route)) return { status: 403 };
  if (!route.methods.includes(request.method ?? '')) return { status: 405, headers: { Allow: route.methods.join(', ') } };
  if (route.kind !== 'api' && route.kind !== 'session') return undefined;
  const { authorization } = request.headers;
  const check = route.kind === 'session' ? token.redeem(authorization) : token.check(authorization);
  if (check === 'locked') return { status: 429, headers: { 'Retry-After': '60' } };
  if (check === 'wrong') return { status: 401 };
  if (request.method === 'POST' && !isJson(request.headers['content-type'])) return { status: 415 };
  return undefined;
}

/** Browsers leave out the port 80, which is that of the protocol. */
function ownHosts(port: number): readonly string[] {
  const names = ['127.0.0.1', 'localhost'];
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])];
}

/** The host, if the request names exactly one. Node keeps the first of several, which another program on the way may not do. */
function hostOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  return hosts.length === 1 ? headers.host?.toLowerCase() : undefined;
}

function isForeign({ headers, method }: IncomingMessage, host: string, { kind }: GuardedRoute): boolean {
  const { origin } = headers;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`) return true;
  // A browser sends an origin with each POST. Without one, the request was not made by our page.
  if (method === 'POST' && origin === undefined) return true;
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin') return false;
  return !(kind === 'page' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document');
}

function isJson(type: string | undefined): boolean {
  return /^application\/json(?:;\s*charset=utf-8)?$/i.test(type ?? '');
}
