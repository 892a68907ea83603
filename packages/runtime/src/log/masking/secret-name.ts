const words = /apikey|accesskey|accountkey|privatekey|secret|token(?!iz)|password|passwd|passphrase|credential|authorization|cookie/i;
const counts = /tokens|token(?:count|limit|budget|usage|size|length)/i;
/**
 * Names of passwords that end in "pass". Other names that end in "pass" are not treated as secrets, because many of them are harmless
 * words.
 */
const pass = /^(?:db|pg|mysql|user|root|admin|smtp|mail|redis|ssh)?pass$/;
const maxName = 200;

/** Whether a name is that of a secret: DB_PASS, apiKey, x-access-token. */
export function isSecretName(name: string): boolean {
  return words.test(compact(name)) || isPass(name);
}

/** Whether a value is a secret, decided by its name. A number of tokens, a boolean, an empty value and the working directory are not. */
export function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean' || value === '') return false;
  if (typeof value === 'number' && countsTokens(name)) return false;
  if (typeof value === 'string' && isWorkingDirectory(name, value)) return false;
  return isSecretName(name);
}

/**
 * Whether a name is that of a number of tokens, such as max_tokens, promptTokens or totalTokenCount. The name of a single token is not,
 * because its value is a secret.
 */
export function countsTokens(name: string): boolean {
  return counts.test(compact(name));
}

/**
 * Whether the value is a directory. The name PWD can mean a password, in a connection string, or the working directory, in an environment.
 */
export function isWorkingDirectory(name: string, value: string): boolean {
  return /^(?:old)?pwd$/i.test(name) && /^(?:[/~]|[a-z]:)/i.test(value);
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
