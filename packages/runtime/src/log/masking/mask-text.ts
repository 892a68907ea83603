import { maskHeaders } from './headers.js';
import { remembered } from './known-texts.js';
import { maskMarkup } from './markup-values.js';
import { maskAfter } from './mask-after.js';
import { mask, maskedValue } from './masked-value.js';
import { maskNetrc } from './netrc.js';
import { maskPrivateKeys } from './private-keys.js';
import { countsTokens, isSecretName, isWorkingDirectory } from './secret-name.js';
import { maskUrls } from './url-credentials.js';

/**
 * Patterns of secrets with a recognisable shape, each with its replacement. The counts in the patterns are limited, so that no
 * pattern can backtrack far. A text that was shortened ends with `…`, and what is before it may be the first part of a secret, so a few
 * characters suffice there.
 */
const shapes: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [
    /(?<![A-Za-z0-9])(?:sk-(?=[\w-]{0,99}[\d…])|[sr]k_(?:live|test)_|whsec_|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|xapp-|dckr_pat_)(?:[\w-]{10,}|[\w-]{1,9}(?=…))/g,
    mask,
  ],
  [/(?<![A-Za-z0-9])(?:npm_|hf_)(?:[A-Za-z0-9]{20,}|[A-Za-z0-9]{1,19}(?=…))/g, mask],
  [/(?<![A-Za-z0-9])pypi-(?:[\w-]{16,}|[\w-]{1,15}(?=…))/g, mask],
  [/(?<![A-Za-z0-9])ya29\.(?:[\w.-]{10,}|[\w.-]{1,9}(?=…))/g, mask],
  [/(?<![A-Za-z0-9])SG\.(?:[\w-]{10,}(?:\.[\w-]+)?|[\w-]{1,9}(?=…))/g, mask],
  [/(?<![A-Za-z0-9])(?:AKIA|ASIA)(?:[A-Z0-9]{12,}|[A-Z0-9]{1,11}(?=…))/g, mask],
  [/(?<![A-Za-z0-9])AIza(?:[\w-]{30,}|[\w-]{1,29}(?=…))/g, mask],
  [/(?<![\w-])eyJ(?:[\w-]{8,}\.[\w.-]+|[\w-]{1,2048}\.?(?=…))/g, mask],
  [/\b(Bearer\s{1,4})[^\s"',;…]{8,}/gi, `$1${mask}`],
  [/\b(Basic\s{1,4})[A-Za-z0-9+/=]{16,}/gi, `$1${mask}`],
  // Words are not masked, as in `Running basic tests…`.
  [/\b([Bb](?:earer|asic)\s{1,4})(?![A-Za-z]?[a-z]*…)[^\s"',;…]{1,15}(?=…)/g, `$1${mask}`],
  // In quotes, a password may have blanks and the other quote.
  [/((?:^|\s)(?:-[uU][ =]?|--(?:proxy-)?user[ =])(\\{0,31}["'])?[^\s:"'\\]{1,64}):(?:(?:(?!\2)[^\r\n]){1,512}|[^\s"']+)/g, `$1:${mask}`],
];

/**
 * Patterns for the text before a value; the first group is the name. `\\{0,31}` matches the backslashes before a quote in JSON that
 * is itself in a JSON text, e.g. `\"name\":`.
 */
const leads: readonly RegExp[] = [
  // NAME=value, name: value, "name":"value", x["name"] = value, 'name' => value
  // The first group only makes it fast: without it, the text before every character would be read. Values of files are often aligned by blanks.
  /(?=[:=])(?<=([\w.-]{1,100})\\{0,31}["']?\]?\s{0,40})[:=]{1,3}>?(?:[ \t]{0,40}(?=\S)|\s{0,4})/g,
  // name: NAME, value: value
  /\b(?:name|key)\\{0,31}["']?\s{0,4}[:=]\s{0,4}\\{0,31}["']?([\w.-]{1,100})\\{0,31}["']?,?\s{0,40}\\{0,31}["']?value\\{0,31}["']?\s{0,4}[:=]\s{0,4}/gi,
  // --name value, "--name", "value"
  /(?<![\w-])--?([a-z][\w-]{0,60})(?:\s{1,4}|\\{0,31}["']\s{0,4},\s{0,4})(?!\\{0,31}["']?-|[&|;])/gi,
];

const wholeNumber = /\d{1,9}(?![\w.-])/y;
const place = /\d{1,7}(?::\d{1,7})?(?![\w.-])/y;
/** A value that another program has already taken out, maybe in quotes. */
const redacted = /\\{0,31}["']?\[REDACTED\](?=$|[\s"'`\\,;)}\]>|&])/iy;
/** A header whose secret is masked already. */
const maskedHeader = /(?:Bearer|Basic|Token|ApiKey)\s{1,4}\*\*\*(?=$|[\s"'\\,;])/iy;
const literal = /(?:true|false|null|undefined)(?!\w)/y;

/**
 * Masks every secret in a text. A secret is recognised by its shape, or by the name before it. Only texts without a secret are remembered, so
 * that none stays in memory.
 */
export const maskText: (text: string) => string = remembered(findMasked, (masked, text) => masked === text);

function findMasked(text: string): string {
  let masked = maskHeaders(maskUrls(maskPrivateKeys(text)));
  for (const [pattern, replacement] of shapes) masked = masked.replace(pattern, replacement);
  masked = maskNetrc(masked);
  for (const lead of leads) {
    const before = masked;
    masked = maskAfter(before, lead, ([, name = ''], start) => (isSecretAt(name, before, start) ? maskedValue(before, start) : undefined));
  }
  return maskMarkup(masked, isSecretAt);
}

function isSecretAt(name: string, text: string, start: number): boolean {
  return isSecretName(name) && !isHarmless(name, text, start);
}

function isHarmless(name: string, text: string, start: number): boolean {
  const is = (pattern: RegExp) => {
    pattern.lastIndex = start;
    return pattern.test(text);
  };
  // The line of a source file (`token.ts:12`) and a number of passed tests (`pass: 12`) are not secrets.
  if (is(place) && /\.[a-z]{1,4}$/i.test(name)) return true;
  if (is(wholeNumber) && name.toLowerCase() === 'pass') return true;
  if (is(maskedHeader) && /authorization$/i.test(name)) return true;
  return is(literal) || is(redacted) || (countsTokens(name) && is(wholeNumber)) || isWorkingDirectory(name, text.slice(start, start + 3));
}
