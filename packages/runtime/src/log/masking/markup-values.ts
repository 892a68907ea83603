import { maskAfter } from './mask-after.js';
import { mask } from './masked-value.js';
import { isSecretName } from './secret-name.js';

/** The brackets of a tag: as they are, in markup within markup, and in JSON as Go writes it. */
const open = String.raw`(?:<|&lt;|\\{1,31}u003c)`;
const close = String.raw`(?:>|&gt;|\\{1,31}u003e)`;

/** A tag: <password>, <wsse:Password Type="text">. The counts are limited, so that no pattern can backtrack far. */
const tag = new RegExp(String.raw`(${open})([\w.:-]{1,160})(\s[^<>]{0,240}?)?${close}`, 'gi');
/** The attribute of a tag that names its value: <property name="password"> */
const nameAttribute = /\s(?:name|key)=\\{0,31}["']([\w.-]{1,100})\\{0,31}["']/i;
/** What follows the tag of a key: <key>Password</key><string> */
const keyRest = new RegExp(
  String.raw`(?<name>[\w .-]{1,100})${open}/key${close}(?:\s|\\{1,31}[nrt]){0,40}${open}(?<element>string|data)${close}`,
  'iy',
);

/** In a section, brackets are text. */
const section = '![CDATA[';
const endOfSection = new RegExp(String.raw`\]\]${close}`, 'gi');
/** The beginning of a value whose end was cut off. Code after a type argument such as `<Token>` has brackets or blanks. */
const cutValue = /[\w+=~!@#$%^*-][^\s<>(){};,]{3,511}$/y;

/** Tests whether the text at an index is a secret, by the name of the value. */
export type IsSecretAt = (name: string, text: string, start: number) => boolean;

/**
 * Masks what is in XML elements whose name is that of a secret. Elements within such an element have names of their own. An element without
 * an end is not masked, because in code `<Token>` is a type. Takes linear time.
 */
export function maskMarkup(text: string, isSecretAt: IsSecretAt): string {
  return maskAfter(text, tag, ([, bracket = '', element = '', attributes], start) => {
    const value = nameOf(element, attributes, text, start);
    if (value === undefined || !isSecretAt(value.name, text, value.begin)) return undefined;
    const end = endOfContent(text, value.begin, bracket, value.element);
    return end === value.begin ? undefined : { shown: text.slice(start, value.begin) + mask, end };
  });
}

interface NamedValue {
  readonly name: string;
  readonly element: string;
  readonly begin: number;
}

/** The name of the value behind a tag. Undefined if it has none. */
function nameOf(element: string, attributes: string | undefined, text: string, begin: number): NamedValue | undefined {
  const name = element.slice(element.lastIndexOf(':') + 1);
  if (isSecretName(name)) return { name, element, begin };
  const named = attributes === undefined ? undefined : nameAttribute.exec(attributes)?.[1];
  if (named !== undefined) return { name: named, element, begin };
  if (name.toLowerCase() !== 'key') return undefined;
  keyRest.lastIndex = begin;
  const key = keyRest.exec(text)?.groups as { name: string; element: string } | undefined;
  return key && { ...key, begin: keyRest.lastIndex };
}

/** Returns the index after the text of an element, or `begin` if it has none. Brackets in another form than those of its tag are text. */
function endOfContent(text: string, begin: number, bracket: string, element: string): number {
  const next = text.indexOf(bracket, begin);
  if (next < 0) {
    cutValue.lastIndex = begin;
    return cutValue.test(text) ? text.length : begin;
  }
  if (text.startsWith(section, next + bracket.length)) {
    endOfSection.lastIndex = next;
    return endOfSection.test(text) ? endOfSection.lastIndex : text.length;
  }
  const content = text.slice(begin, next).trim();
  return content !== '' && content !== mask && text.startsWith(`/${element}`, next + bracket.length) ? next : begin;
}
