import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Invocation } from '@tenterhook/protocol';

type HttpInvocation = Extract<Invocation, { readonly kind: 'http' }>;

/** A request that can be made. */
export interface RequestTarget {
  readonly isSecure: boolean;
  /** As messages name it: with the port where it is not the usual one, and without anything secret. */
  readonly shownHost: string;
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Why no request can be made, in a sentence for people that holds no header value, no credentials and no query. */
export interface TargetProblem {
  readonly problem: string;
}

/** Headers that say where one message ends and what becomes of the connection: set by a settings file, they could make two messages of one. */
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
  if (url === undefined) return { problem: 'its URL is none: write one such as https://example.org/hook' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { problem: `its URL begins with "${url.protocol}", and a request is made with http: or https: alone` };
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
    if (!isValid(() => validateHeaderName(name))) return `${shown} is no name of a header: use letters, digits and hyphens`;
    if (ofTheConnection.has(name.toLowerCase())) return `the header ${shown} belongs to the connection and cannot be set: leave it out`;
    if (typeof value === 'string' && isValid(() => validateHeaderValue(name, value))) continue;
    return `the value of the header ${shown} cannot be sent: it has to be a text of one line, in Latin letters`;
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

/** As it stands where its escapes are none: a password may hold a per cent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
