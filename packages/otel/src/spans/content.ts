import { maskSecrets } from '@tenterhook/runtime/log';

/** The maximum number of characters of a text in an attribute. */
const longest = 4000;

/** Returns a value as text for an attribute, with secrets masked. It is masked as a whole before it is cut, so that no half of a secret remains. */
export function contentOf(value: unknown): string {
  const masked = maskSecrets(value);
  const text = typeof masked === 'string' ? masked : (JSON.stringify(masked) ?? '');
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
