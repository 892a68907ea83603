type Storage = 'localStorage' | 'sessionStorage';

/** What the browser does not keep, until the page is left. */
const kept = new Map<string, string>();

/** Returns a text that the browser keeps. A browser that keeps nothing of sites, which a user can choose, throws when it is asked. */
export function readStored(storage: Storage, key: string): string | undefined {
  try {
    return window[storage].getItem(key) ?? kept.get(key);
  } catch {
    return kept.get(key);
  }
}

/** Keeps a text, or removes it. */
export function writeStored(storage: Storage, key: string, text: string | undefined): void {
  kept.delete(key);
  try {
    if (text === undefined) window[storage].removeItem(key);
    else window[storage].setItem(key, text);
  } catch {
    if (text !== undefined) kept.set(key, text);
  }
}
