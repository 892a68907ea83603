import { formatFragment, parseFragment } from '../state/address.js';
import { readStored, writeStored } from '../state/stored-text.js';

const key = 'tenterhook-token';

/**
 * Returns the token of this tab. A token in the fragment is stored, and removed from the address and from the history. The storage belongs
 * to the tab: a cookie was rejected, because cookies know no port, and every other local server would receive it.
 */
export function takeToken(): string | undefined {
  const address = parseFragment(location.hash);
  if (address.token !== undefined) {
    writeStored('sessionStorage', key, address.token);
    history.replaceState(null, '', `${location.pathname}${formatFragment(address)}`);
  }
  return readStored('sessionStorage', key);
}

/**
 * Exchanges the code in the fragment for the token, which is stored. Browsers write the address with the code into their history, where it is
 * worth nothing afterwards. Without a code, or with one that was used, nothing changes.
 */
export async function redeemCode(): Promise<void> {
  const address = parseFragment(location.hash);
  const { code } = address;
  if (code === undefined) return;
  history.replaceState(null, '', `${location.pathname}${formatFragment(address)}`);
  try {
    const headers = { authorization: `Bearer ${code}`, 'content-type': 'application/json' };
    const response = await fetch('/api/session', {
      method: 'POST',
      headers,
      body: '{}',
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    });
    if (!response.ok) return;
    const { token } = (await response.json()) as { token: string };
    writeStored('sessionStorage', key, token);
  } catch {
    // The server has ended. The page shows how to get another one.
  }
}

/** Removes a token that the server has refused. */
export function forgetToken(): void {
  writeStored('sessionStorage', key, undefined);
}
