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

/** The number of characters with which both texts begin. */
function equalLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
