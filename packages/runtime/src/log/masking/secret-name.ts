const words = /apikey|accesskey|accountkey|privatekey|secret|token(?!iz)|password|passwd|passphrase|credential|authorization|cookie/i;
const counts = /tokens|token(?:count|limit|budget|usage|size|length)/i;
/** Names that end in "pass" and mean a password. Other words with this end are mostly harmless, e.g. "bypass". */
const pass = /^(?:db|pg|mysql|user|root|admin|smtp|mail|redis|ssh)?pass$/;
const maxName = 200;

/** Whether a name is that of a secret: DB_PASS, apiKey, x-access-token. */
export function isSecretName(name: string): boolean {
  return words.test(compact(name)) || isPass(name);
}

/** Tests whether a value with this name is a secret. False for a number of tokens, a boolean, an empty value and the working directory. */
export function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean' || value === '') return false;
  if (typeof value === 'number' && countsTokens(name)) return false;
  if (typeof value === 'string' && isWorkingDirectory(name, value)) return false;
  return isSecretName(name);
}

/** Tests whether a name means a number of tokens: max_tokens, promptTokens, totalTokenCount. The value of a single token is a secret. */
export function countsTokens(name: string): boolean {
  return counts.test(compact(name));
}

/** Tests whether the value is a directory. PWD is the working directory in an environment, but a password in a connection string. */
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
