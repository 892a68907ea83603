/** A global of every runtime that this package runs in; its types come with none of the libraries that it is compiled with. */
declare const URL: new (url: string) => { readonly hostname: string };

/** The hosts that a text may lead to: as a URL is read by whoever fetches it, and as it looks. */
export function hostsOf(url: string): string[] {
  const looks =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:\\]*)/i.exec(url.trim())?.[1] ?? url.trim().split(/[/?#:\\]/)[0] ?? '';
  return [...new Set([looks, ...parsed(url), ...parsed(`https://${url.trim()}`)])].map((host) => host.toLowerCase().replace(/\.$/, ''));
}

function parsed(url: string): string[] {
  try {
    return [new URL(url).hostname];
  } catch {
    return [];
  }
}
