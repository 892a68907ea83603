import { mask } from './masked-value.js';
import { isSecretName } from './secret-name.js';

/** The brackets of a tag: as they are, in markup within markup, and in JSON as Go writes it. */
const open = String.raw`(?:<|&lt;|\\{1,31}u003c)`;
const close = String.raw`(?:>|&gt;|\\{1,31}u003e)`;

/** The beginning of a tag with its name. The counts are limited, so that no pattern can backtrack far. */
const tag = new RegExp(String.raw`${open}([\w.:-]{1,160})`, 'gi');
/** The rest of a tag: <password>, <wsse:Password Type="text"> */
const rest = new RegExp(String.raw`(?:\s[^<>]{0,120}?)?${close}`, 'iy');
/** The rest of a tag that names its value: <property name="password">, <key>Password</key><string> */
const namedRest = new RegExp(
  String.raw`\s(?:[^<>]{0,120}?\s)?(?:name|key)=\\{0,31}["'](?<name>[\w.-]{1,100})\\{0,31}["'][^<>]{0,120}?${close}`,
  'iy',
);
const keyRest = new RegExp(
  String.raw`${close}(?<name>[\w .-]{1,100})${open}/key${close}(?:\s|\\{1,31}[nrt]){0,40}${open}(?<element>string|data)${close}`,
  'iy',
);

const opening = new RegExp(open, 'gi');
const blanks = /(?:\s|\\{1,31}[nrt])*/y;
const verbatim = '<![CDATA[';
/** The beginning of a value whose end was cut off. Code after a type argument such as `<Token>` has brackets or blanks. */
const cutValue = /[\w+=~!@#$%^*-][^\s<>(){};,]{3,511}$/y;

/** Tests whether the text at an index is a secret, by the name of the value. */
export type IsSecretAt = (name: string, text: string, start: number) => boolean;

/**
 * Masks what is in XML elements whose name is that of a secret. Elements within such an element have names of their own. An element without
 * an end is not masked, because in code `<Token>` is a type. Takes linear time.
 */
export function maskMarkup(text: string, isSecretAt: IsSecretAt): string {
  let masked = '';
  let from = 0;
  tag.lastIndex = 0;
  for (let found = tag.exec(text); found !== null; found = tag.exec(text)) {
    const value = readNamed(found[1] as string, text, tag.lastIndex);
    if (value === undefined || !isSecretAt(value.name, text, value.begin)) continue;
    const end = endOfContent(text, value.begin, value.element);
    if (end === value.begin) continue;
    masked += text.slice(from, value.begin) + mask;
    from = end;
    tag.lastIndex = end;
  }
  return masked + text.slice(from);
}

interface NamedValue {
  readonly name: string;
  readonly element: string;
  readonly begin: number;
}

/** Reads the rest of a tag that begins at an index, behind the name of its element. Undefined if it has no name of a value. */
function readNamed(element: string, text: string, at: number): NamedValue | undefined {
  const name = element.slice(element.lastIndexOf(':') + 1);
  if (isSecretName(name)) {
    rest.lastIndex = at;
    if (rest.test(text)) return { name, element, begin: rest.lastIndex };
  }
  const pattern = name.toLowerCase() === 'key' ? keyRest : namedRest;
  pattern.lastIndex = at;
  const named = pattern.exec(text)?.groups;
  return named === undefined
    ? undefined
    : { name: named['name'] as string, element: named['element'] ?? element, begin: pattern.lastIndex };
}

/** Returns the index after the text of an element, or `begin` if it has none. */
function endOfContent(text: string, begin: number, element: string): number {
  blanks.lastIndex = begin;
  blanks.test(text);
  if (text.startsWith(verbatim, blanks.lastIndex)) {
    const end = text.indexOf(']]>', blanks.lastIndex);
    return end < 0 ? text.length : end + ']]>'.length;
  }
  opening.lastIndex = begin;
  const next = opening.exec(text);
  if (next === null) {
    cutValue.lastIndex = begin;
    return cutValue.test(text) ? text.length : begin;
  }
  const content = text.slice(begin, next.index).trim();
  return content !== '' && content !== mask && text.startsWith(`/${element}`, opening.lastIndex) ? next.index : begin;
}
