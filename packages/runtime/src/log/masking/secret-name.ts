const words = /apikey|accesskey|accountkey|privatekey|secret|token(?!iz)|password|passwd|passphrase|credential|authorization|cookie/i;
const counts = /tokens|token(?:count|limit|budget|usage|size|length)/i;
/** "pass" is the end of many words, and of few that are no secret when they stand alone: so these few. */
const pass = /^(?:db|pg|mysql|user|root|admin|smtp|mail|redis|ssh)?pass$/;
const maxName = 200;

/** Whether what stands under this name is a secret: DB_PASS, apiKey, x-access-token. */
export function isSecretName(name: string): boolean {
  return words.test(compact(name)) || isPass(name);
}

/** The same with what stands there: a number of tokens is none, nor is a switch, nor nothing, nor the working directory. */
export function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean' || value === '') return false;
  if (typeof value === 'number' && countsTokens(name)) return false;
  if (typeof value === 'string' && isWorkingDirectory(name, value)) return false;
  return isSecretName(name);
}

/** max_tokens, promptTokens, totalTokenCount; a single token is not counted, it is one. */
export function countsTokens(name: string): boolean {
  return counts.test(compact(name));
}

/** Pwd is a password in a connection string, and a folder in every environment. */
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
