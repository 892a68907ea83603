import { isPlainObject } from '@tenterhook/protocol';

const mask = '***';

/** The most characters of one text that are looked at, and of all texts of one value together. */
const maxText = 4_000;
const maxDepth = 12;

const secretWords = 'api[_-]?key|access[_-]?key|private[_-]?key|secret|token|password|passwd|passphrase|credential|authorization|cookie';

/** What gives a secret away in a text, and what is shown instead. Each takes linear time, as no pattern backtracks further than a constant. */
const rules: readonly (readonly [pattern: RegExp, replacement: string | ((...match: string[]) => string)])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END[A-Z ]{0,40}-----|$)/g, `-----BEGIN PRIVATE KEY----- ${mask}`],
  [/:\/\/[^\s/@]{1,512}@/g, `://${mask}@`],
  [/(?<![A-Za-z0-9])(?:sk-|gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|npm_|hf_)[\w-]{10,}/g, mask],
  [/(?<![A-Za-z0-9])(?:(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[\w-]{30,})/g, mask],
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w.-]+/g, mask],
  [/\b(Bearer\s{1,4})[^\s"',;]{8,}/gi, `$1${mask}`],
  [/\b(Basic\s{1,4})[A-Za-z0-9+/=]{16,}/gi, `$1${mask}`],
  // A header goes on to the end of its line; a cookie has several values.
  [/\b((?:authorization|cookie)\s{0,4}:\s{0,4})[^\r\n"'\\]+/gi, `$1${mask}`],
  [/((?:^|\s)(?:-u|--user)[ =]["']?[^\s:"']{1,64}):[^\s"']+/g, `$1:${mask}`],
  // NAME=value, name: value, "name":"value", --name value; \" as it stands in JSON within JSON.
  [
    new RegExp(`((?:${secretWords})[\\w-]{0,40}\\\\?["']?\\s{0,4}[=:]\\s{0,4})(\\\\?"[^"]*"?|\\\\?'[^']*'?|[^\\s"'&|,;)}\\]]+)`, 'gi'),
    maskedAssignment,
  ],
  [new RegExp(`(--[a-z-]{0,32}(?:${secretWords})[a-z-]{0,16}\\s{1,4})("[^"]*"?|'[^']*'?|[^\\s"'&|;-][^\\s"'&|;]*)`, 'gi'), `$1${mask}`],
];

/** A copy to be shown, with what looks like a secret masked. Bounded: of long texts and deep or wide values only the beginning. Never throws. */
export function maskSecrets(value: unknown): unknown {
  try {
    return maskedValue(value, { left: maxText }, 0);
  } catch (error) {
    return `cannot be shown: ${String(error).slice(0, 200)}`;
  }
}

export function maskSecretsInText(text: string): string {
  let masked = text.slice(0, maxText);
  for (const [pattern, replacement] of rules) masked = masked.replace(pattern, replacement as string);
  return masked;
}

/** `left` counts what may still be shown, texts by their length and everything else by one. */
function maskedValue(value: unknown, budget: { left: number }, depth: number): unknown {
  budget.left -= 1;
  if (budget.left < 0) return '…';
  if (typeof value === 'string') {
    const masked = maskSecretsInText(value);
    const text = masked.slice(0, budget.left);
    budget.left -= text.length;
    return value.length > maxText || text.length < masked.length ? `${text}…` : text;
  }
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}n` : value;
  if (depth >= maxDepth) return '…';
  if (Array.isArray(value)) return Array.from(limited(value.keys(), budget), (index) => maskedValue(value[index], budget, depth + 1));
  if (!isPlainObject(value)) return Object.prototype.toString.call(value);
  return Object.fromEntries(
    Array.from(limited(Object.keys(value).values(), budget), (key) => {
      const shownKey = maskSecretsInText(key.slice(0, 100));
      budget.left -= shownKey.length;
      return [shownKey, isSecret(key, value[key]) ? mask : maskedValue(value[key], budget, depth + 1)];
    }),
  );
}

function* limited<Item>(items: Iterable<Item>, budget: { readonly left: number }): Generator<Item> {
  for (const item of items) {
    if (budget.left <= 0) return;
    yield item;
  }
}

const secretKey = new RegExp(secretWords.replaceAll('[_-]?', ''), 'i');

/** By the name under which the value stands. A number of tokens is a number and no secret. */
function isSecret(key: string, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean' || value === '') return false;
  const name = key.slice(0, 100).replace(/[\s._-]/g, '');
  return secretKey.test(name) && !(/token/i.test(name) && typeof value === 'number');
}

function maskedAssignment(whole: string, name: string, value: string): string {
  return /token/i.test(name) && /^\d{1,9}$/.test(value) ? whole : `${name}${mask}`;
}
