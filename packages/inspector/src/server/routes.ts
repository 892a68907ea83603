import type { IncomingMessage, ServerResponse } from 'node:http';
import { maskText } from '@tenterhook/runtime/log';
import { describeThrown } from '@tenterhook/runtime/text';
import { sendProblem, sendStatus } from './answers.js';
import type { Asset } from './assets.js';
import { findRefusal, type GuardedRoute } from './guard.js';
import type { AccessToken } from './token.js';

/** Answers requests. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A request that the guard has let through. */
export interface ApiCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What the pattern of the route has found in the path. */
  readonly words: readonly string[];
  readonly query: URLSearchParams;
}

/** A route below `/api/`. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST';
  readonly pattern: RegExp;
  answer(call: ApiCall): Promise<void> | void;
}

/** What the routes need. */
export interface RoutesOptions {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly api: readonly ApiRoute[];
  readonly token: AccessToken;
  /** The port of the server, which the guard compares with `Host`. Known when the first request comes. */
  readonly port: () => number;
  /** Called at each request with the right token. */
  readonly onUse: () => void;
}

/** Answers the token for a code. */
export const sessionPath = '/api/session';

/** Longer paths are none of ours. */
const longestPath = 1024;

/** Makes the handler of all requests: the guard first, then the map of assets or the table of routes. */
export function createRoutes({ assets, api, token, port, onUse }: RoutesOptions): Handler {
  return (request, response) => {
    const { path, query } = splitUrl(request.url ?? '');
    const matching = api.filter(({ pattern }) => pattern.test(path));
    const refusal = findRefusal(request, port(), guardedRoute(path, assets, matching), token);
    if (refusal !== undefined) {
      // What follows in the body is not read.
      response.setHeader('Connection', 'close');
      return sendStatus(response, refusal.status, refusal.headers);
    }
    const asset = assets.get(path);
    if (asset !== undefined) return sendAsset(response, asset);
    const route = matching.find(({ method }) => method === request.method);
    if (path.startsWith('/api/')) onUse();
    if (route === undefined) return sendStatus(response, 404);
    const words = route.pattern.exec(path)?.slice(1) ?? [];
    void answer(route, { request, response, words, query });
  };
}

/** A path that is not known needs the token too, so that a stranger cannot find out which routes exist. */
function guardedRoute(path: string, assets: ReadonlyMap<string, Asset>, matching: readonly ApiRoute[]): GuardedRoute {
  if (path === '/') return { kind: 'page', methods: ['GET'] };
  if (assets.has(path)) return { kind: 'asset', methods: ['GET'] };
  if (!path.startsWith('/api/')) return { kind: 'none', methods: ['GET'] };
  if (path === sessionPath) return { kind: 'session', methods: ['POST'] };
  return { kind: 'api', methods: matching.length === 0 ? ['GET', 'POST'] : matching.map(({ method }) => method) };
}

/** The path as it was sent. It is compared and never resolved, so `..` and `%2e` have no meaning. */
function splitUrl(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path: path.length > longestPath ? '' : path, query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)) };
}

function sendAsset(response: ServerResponse, { bytes, type }: Asset): void {
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': String(bytes.length) });
  response.end(bytes);
}

async function answer(route: ApiRoute, call: ApiCall): Promise<void> {
  try {
    await route.answer(call);
  } catch (error) {
    const { response } = call;
    if (response.headersSent) response.destroy();
    else sendProblem(response, 500, 'internal_error', `The inspector failed: ${maskText(describeThrown(error))}`);
  }
}
