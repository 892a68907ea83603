import { remembered } from './known-texts.js';

const words = /apikey|accesskey|accountkey|privatekey|secret|token(?!iz)|password|passwd|passphrase|credential|authorization|cookie/i;
const counts = /tokens|token(?:count|limit|budget|usage|size|length)/i;
/** Names that end in "pass" and mean a password. Most other words with this ending are harmless, e.g. "bypass". */
const pass = /^(?:db|pg|mysql|user|root|admin|smtp|mail|redis|ssh)?pass$/;
const maxName = 200;

/** Tests whether a name is the name of a secret, e.g. `DB_PASS`, `apiKey`, `x-access-token`. */
export const isSecretName: (name: string) => boolean = remembered((name) => words.test(compact(name)) || isPass(name));

/**
 * Tests whether the value with this name is a secret. Booleans, empty values, numbers of tokens and the working directory are not
 * secrets.
 */
export function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean' || value === '') return false;
  if (typeof value === 'number' && countsTokens(name)) return false;
  if (typeof value === 'string' && (isWorkingDirectory(name, value) || isRedacted(value))) return false;
  return isSecretName(name);
}

/**
 * Tests whether a name means a number of tokens, e.g. `max_tokens`, `promptTokens`, `totalTokenCount`. The value of a name such as
 * `token` is a secret.
 */
export function countsTokens(name: string): boolean {
  return counts.test(compact(name));
}

/**
 * Tests whether the value is a directory. In an environment, `PWD` is the working directory; in a connection string it is a
 * password.
 * In a recording, a placeholder of a directory begins with `⟦`.
 */
export function isWorkingDirectory(name: string, value: string): boolean {
  return /^(?:old)?pwd$/i.test(name) && /^(?:[/~⟦]|[a-z]:)/i.test(value);
}

/** Tests whether a hook, or another program, has already taken the value out. A recording must show what hooks wrote. */
function isRedacted(value: string): boolean {
  return /^\[REDACTED\]$/i.test(value);
}

function compact(name: string): string {
  return name.slice(0, maxName).replace(/[\s._-]/g, '');
}

function isPass(name: string): boolean {
  const parts = name
    .slice(0, maxName)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return parts.some((part) => pass.test(part) || part === 'pwd');
}
