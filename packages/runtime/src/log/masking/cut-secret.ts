import { maskText } from './mask-text.js';

/** Longer than the longest part of a secret by which it is not yet recognised. */
const longestPart = 2_048;

/** The characters that credentials in an address cannot contain. All other secrets end earlier. */
const boundaries = [' ', '\t', '\n', '\r', '"', "'", '<', '>'];

/**
 * Returns the beginning of a text that was cut off. If its last word may be the first part of a secret, the word is left out, because nothing
 * after the cut can tell. Leaving out the last word in any case was rejected: a text without spaces would lose its end for nothing.
 */
export function withoutCutSecret(text: string): string {
  const tail = text.slice(-longestPart);
  // A mark of a cut lets the masks recognise the first part of a secret.
  if (maskText(`${tail}…`).startsWith(maskText(tail))) return text;
  const kept = Math.max(...boundaries.map((boundary) => tail.lastIndexOf(boundary))) + 1;
  return text.slice(0, text.length - tail.length + kept);
}
