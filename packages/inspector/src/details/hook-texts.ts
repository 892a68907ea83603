import { isPlainObject } from '@tenterhook/runtime/json';
import type { HookText } from '../api/messages.js';

/** The maximum number of characters of a piece. */
export const pieceLength = 64 * 1024;

/**
 * Returns the piece of a text that begins at a character. `bytes` is the length of the whole text in UTF-8, or what the hook printed if
 * that is more than was kept.
 */
export function pieceOf(text: string, from: number, printedBytes?: number): HookText {
  const start = Math.min(from, text.length);
  let end = Math.min(start + pieceLength, text.length);
  // A character of two halves is not divided.
  if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
  const bytes = Math.max(Buffer.byteLength(text), printedBytes ?? 0);
  return { text: text.slice(start, end), bytes, isWhole: end === text.length };
}

/** Copies a value with each text cut to the length of a piece. The whole text is fetched in pieces. */
export function cutTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.length > pieceLength ? `${pieceOf(value, 0).text}…` : value;
  if (Array.isArray(value)) return value.map(cutTexts);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutTexts(item)]));
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
