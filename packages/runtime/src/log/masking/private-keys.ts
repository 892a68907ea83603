import { mask } from './masked-value.js';

/** A key, also without its end, which a limit may have cut off. One that is masked already stays as it is, with the text after it. */
const key = /-{4,5} ?BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?!-| \*\*\*)[\s\S]*?(?:-{4,5} ?END[A-Z\d ]{0,60}-{4,5}|$)/g;
const end = /-{4,5} ?END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;

/** Masks private keys, also those of which only the first or the last part is in the text. Takes linear time. */
export function maskPrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) return text;
  return maskEnds(text.replace(key, `-----BEGIN PRIVATE KEY----- ${mask}`));
}

/** Masks what is left of keys without their beginning. */
function maskEnds(text: string): string {
  let masked = '';
  let from = 0;
  for (const { 0: line, index } of text.matchAll(end)) {
    const begin = beginOfContent(text, from, index);
    masked += begin === index ? text.slice(from, index + line.length) : `${text.slice(from, begin)}${mask} -----END PRIVATE KEY-----`;
    from = index + line.length;
  }
  return masked + text.slice(from);
}

/** A shorter text at the end of another line is a word, and not the rest of a line that was cut off. */
const leastRest = 16;

/**
 * Returns the index of the first of the lines before an index that have nothing but base64. The lines may be indented, and the text may be
 * JSON, in which a line break is `\n`.
 */
function beginOfContent(text: string, from: number, to: number): number {
  let begin = to;
  for (let { at, isLine } = skipBack(text, from, to); isLine && at > from; ) {
    const end = at;
    while (at > from && /[A-Za-z\d+/=]/.test(text[at - 1] as string) && breakBefore(text, at) === 0) at -= 1;
    const before = skipBack(text, from, at);
    if (at === end || !before.isLine) return end - at < leastRest ? begin : at;
    begin = at;
    at = before.at;
  }
  return begin;
}

/** Skips blanks and line breaks before an index. `isLine`: a line begins at the index. */
function skipBack(text: string, from: number, to: number): { readonly at: number; readonly isLine: boolean } {
  let at = to;
  let isLine = false;
  while (at > from) {
    const length = breakBefore(text, at);
    isLine ||= length > 0;
    if (length === 0 && !/[ \t]/.test(text[at - 1] as string)) break;
    at -= Math.max(length, 1);
  }
  return { at, isLine: isLine || at === from };
}

/** The number of characters of a line break before an index: 1, or in JSON those of `\n`. 0 if there is none. */
function breakBefore(text: string, index: number): number {
  const character = text[index - 1];
  if (character === '\n' || character === '\r') return 1;
  if ((character !== 'n' && character !== 'r') || text[index - 2] !== '\\') return 0;
  let begin = index - 2;
  while (text[begin - 1] === '\\') begin -= 1;
  return index - begin;
}
