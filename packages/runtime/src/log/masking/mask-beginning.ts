import { maskText } from './mask-text.js';

/** Longer than the longest part of a secret without the shape by which it is recognised, such as credentials without the `@` after them. */
const longestPart = 1_024;

/**
 * Masks a text and returns at most this number of its first characters. The end may be the first part of a secret, which is recognised only
 * as a whole. So the text is masked twice, with and without the characters after the end. Where such a secret begins, the two differ.
 * Leaving out as many characters as such a part may have was rejected: behind a long secret, which becomes a short mask, nothing would be
 * shown.
 */
export function maskBeginning(text: string, most: number, mask = maskText): { readonly shown: string; readonly isCut: boolean } {
  const read = text.slice(0, most + longestPart);
  const masked = mask(read);
  const isWhole = read.length === text.length;
  const end = isWhole ? masked.length : equalLength(masked, mask(text.slice(0, most)));
  const shown = masked.slice(0, Math.min(end, most));
  return { shown, isCut: !isWhole || shown.length < masked.length };
}

/** Masks a text, and shortens it to this number of characters. Where something is left out, it ends with `…`. */
export function maskShort(text: string, most: number): string {
  const { shown, isCut } = maskBeginning(text, most);
  return isCut ? `${shown.slice(0, most - 1)}…` : shown;
}

/** Longer than the longest part of a secret by which it is not yet recognised. */
const longestWord = 2_048;

/** The characters that credentials in an address cannot contain. All other secrets begin later. */
const boundary = /[ \t\n\r"'<>]/;

/** The rest of a token of any kind. Those with a dot have it within this length. */
const moreOfToken = `${'0'.repeat(40)}.0`;

const bracket = String.raw`(?:<|&lt;|\\{1,31}u003c)`;
/** An XML element without its end, perhaps with the beginning of its end: as it is, in markup within markup, and in JSON as Go writes it. */
const openElement = new RegExp(
  String.raw`(?<mark>${bracket})(?<name>[\w.:-]{1,160})(?:\s[^<>"']{0,120})?(?:>|&gt;|\\{1,31}u003e)[^<>"'\r\n]{1,512}?(?<end>${bracket}/?[\w.:-]{0,160})?$`,
);

/**
 * Returns the beginning of a text that was cut off. If its end may be the first part of a secret, this part is left out, because nothing after
 * the cut can tell. Leaving out the last word in any case was rejected: a text without spaces would lose its end for nothing. A text that is
 * not blank does not become blank, because in some formats any text is a deny.
 */
export function withoutCutSecret(text: string): string {
  const tail = text.slice(-longestWord);
  const masked = maskText(tail);
  const equal = Math.min(...completions(tail).map((whole) => equalLength(masked, maskText(whole))));
  // The brackets behind a secret look like a part of it when something follows. They must stay: they end an answer.
  if (!/[\p{L}\p{N}]/u.test(masked.slice(equal))) return text;
  let kept = Math.max(tail.length - (masked.length - equal), 0);
  while (kept > 0 && !boundary.test(tail[kept - 1] as string)) kept -= 1;
  const beginning = text.slice(0, text.length - tail.length + kept);
  return beginning.trim() === '' ? '…' : beginning;
}

/** Returns the text with what may have followed its end. With it, the masks recognise a secret of which the text has the first part only. */
function completions(text: string): readonly string[] {
  const whole = [moreOfToken, '…', '"', "'", '/@'].map((end) => `${text}${end}`);
  const { mark, name, end = '' } = openElement.exec(text)?.groups ?? {};
  return name === undefined ? whole : [...whole, `${text.slice(0, text.length - end.length)}${mark}/${name}`];
}

/** The number of characters with which both texts begin. */
function equalLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
