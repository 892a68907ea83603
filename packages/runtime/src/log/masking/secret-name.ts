const words = /apikey|accesskey|accountkey|privatekey|secret|token(?!iz)|password|passwd|passphrase|credential|authorization|cookie/i;
const counts = /tokens|token(?:count|limit|budget|usage|size|length)/i;
/** Many harmless words end in "pass", so only these names of passwords count. */
const pass = /^(?:db|pg|mysql|user|root|admin|smtp|mail|redis|ssh)?pass$/;
const maxName = 200;

/** Whether a value with this name is a secret: DB_PASS, apiKey, x-access-token. */
export function isSecretName(name: string): boolean {
  return words.test(compact(name)) || isPass(name);
}

/** The same for a name with its value: a number of tokens is not a secret, nor is a boolean, an empty value, or the working directory. */
export function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean' || value === '') return false;
  if (typeof value === 'number' && countsTokens(name)) return false;
  if (typeof value === 'string' && isWorkingDirectory(name, value)) return false;
  return isSecretName(name);
}

/** True for max_tokens, promptTokens, totalTokenCount. False for a single token, which is a secret. */
export function countsTokens(name: string): boolean {
  return counts.test(compact(name));
}

/** PWD is a password in a connection string, but a folder in every environment. */
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
