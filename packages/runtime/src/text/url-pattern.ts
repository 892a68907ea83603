/** Tests whether a URL matches a pattern. */
export type UrlPattern = (url: URL) => boolean;

const schemes = ['http:', 'https:'];
const parts = /^(?<scheme>https?|\*):\/\/(?<host>\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]]+)(?::(?<port>\d{1,5}|\*))?(?<path>\/[^\s#]*)?$/i;
const usualPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Compiles a pattern such as `https://*.example.com/hooks/*`. Returns undefined if the pattern is invalid. Its parts are compared
 * separately:
 * - Scheme: `http`, `https`, or `*` for both.
 * - Host: `*` matches any text in one label, e.g. `api-*.example.com`. As the first label it matches one or more labels. As the
 *   whole host it matches any host.
 * - Port: a number or `*`. A pattern without a port means the default port of the scheme.
 * - Path and query: `*` matches any text. Without a path, every path matches. A path without `*` matches the same path with any
 *   query.
 *
 * `*` alone matches every URL with http or https. Comparing the whole text was rejected: a `*` for the host would then also match a
 * URL that has the expected host in its path, query or user name.
 */
export function compileUrlPattern(pattern: string): UrlPattern | undefined {
  if (pattern === '*') return ({ protocol }) => schemes.includes(protocol);
  const found = parts.exec(pattern)?.groups;
  if (found === undefined) return undefined;
  const { scheme = '', host = '', port, path } = found;
  const isHost = compileHost(host.toLowerCase());
  return (url) =>
    (scheme === '*' ? schemes.includes(url.protocol) : url.protocol === `${scheme.toLowerCase()}:`) &&
    isHost(url.hostname) &&
    (port === '*' || portOf(url) === (port === undefined ? usualPorts[url.protocol] : String(Number(port)))) &&
    fitsPath(path, url);
}

/** Compiles the host part. `hostname` is the host of a parsed URL: in lower case, and with international labels in ASCII. */
function compileHost(host: string): (hostname: string) => boolean {
  if (host === '*') return () => true;
  if (!host.includes('*')) {
    const canonical = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
    return (hostname) => hostname === canonical;
  }
  const labels = host.split('.');
  const isBelow = labels[0] === '*';
  const fixed = isBelow ? labels.slice(1) : labels;
  return (hostname) => {
    const own = hostname.split('.');
    const extra = own.length - fixed.length;
    if (own.some((label) => label === '') || (isBelow ? extra < 1 : extra !== 0)) return false;
    return fixed.every((label, index) => fitsText(label, own[extra + index] as string));
  };
}

function portOf({ protocol, port }: URL): string | undefined {
  return port === '' ? usualPorts[protocol] : port;
}

function fitsPath(path: string | undefined, { pathname, search }: URL): boolean {
  if (path === undefined) return true;
  return path.includes('*') || path.includes('?') ? fitsText(path, `${pathname}${search}`) : path === pathname;
}

/** Tests whether the pattern matches the whole text. `*` matches any text, also an empty one. */
function fitsText(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const piece of rest) {
    const at = text.indexOf(piece, position);
    if (at === -1) return false;
    position = at + piece.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
