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

/** The characters that credentials in an address cannot contain. All other secrets end earlier. */
const boundaries = [' ', '\t', '\n', '\r', '"', "'", '<', '>'];

/**
 * Returns the beginning of a text that was cut off. If its last word may be the first part of a secret, the word is left out, because nothing
 * after the cut can tell. Leaving out the last word in any case was rejected: a text without spaces would lose its end for nothing.
 */
export function withoutCutSecret(text: string): string {
  const tail = text.slice(-longestWord);
  // A mark of a cut lets the masks recognise the first part of a secret.
  if (maskText(`${tail}…`).startsWith(maskText(tail))) return text;
  const kept = Math.max(...boundaries.map((boundary) => tail.lastIndexOf(boundary))) + 1;
  return text.slice(0, text.length - tail.length + kept);
}

/** The number of characters with which both texts begin. */
function equalLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
