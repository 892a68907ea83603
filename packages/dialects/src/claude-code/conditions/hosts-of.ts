/** A global of every runtime that this package runs in; its types come with none of the libraries that it is compiled with. */
declare const URL: new (url: string) => { readonly hostname: string };

/** Beyond it no text is an address. */
const maxLength = 10_000;

/** The hosts that a text may lead to: as a URL is read by whoever fetches it, and as it looks. */
export function hostsOf(url: string): string[] {
  const looks =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:\\]*)/i.exec(url.trim())?.[1] ?? url.trim().split(/[/?#:\\]/)[0] ?? '';
  const within = [...url.slice(0, maxLength).matchAll(/https?:\/\/[^\s>"']+/gi)].flatMap(([text]) => parsed(text));
  return [...new Set([looks, ...within, ...parsed(url), ...parsed(`https://${url.trim()}`)])].map((host) =>
    host.toLowerCase().replace(/\.$/, ''),
  );
}

function parsed(url: string): string[] {
  try {
    return [new URL(url).hostname];
  } catch {
    return [];
  }
}
