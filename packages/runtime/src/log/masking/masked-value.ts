export const mask = '***';

/** `end` is the index after the original value. */
export interface MaskedValue {
  readonly shown: string;
  readonly end: number;
}

/**
 * Masks the value that begins at `start` of a text. The text may be a command, JSON, YAML or code. In doubt too much is masked: a
 * value without quotes extends to the next white space, and an unclosed quoted value extends to the end of the text. Takes linear
 * time.
 */
export function maskedValue(text: string, start: number): MaskedValue {
  // A line may be masked twice, so masked text must stay unchanged.
  if (text.startsWith(mask, start) && isAtEnd(text, start + mask.length)) return { shown: mask, end: start + mask.length };
  const quote = quoteAt(text, start);
  if (quote !== undefined) {
    const end = endOfQuoted(text, start, quote);
    if (isAtEnd(text, end)) return { shown: `${quote}${mask}${text.slice(end - quote.length, end) === quote ? quote : ''}`, end };
    return { shown: mask, end: endOfWord(text, end) };
  }
  const nested = '[{('.includes(text[start] ?? ' ') ? endOfNested(text, start) : start;
  const end = nested > start && isAtEnd(text, nested) ? nested : endOfWord(text, nested);
  return { shown: end === start ? '' : mask, end };
}

/**
 * Returns the quote at an index together with the backslashes before it: `"` in JSON, `\"` in JSON that is in a JSON text, `\\\"`
 * one level deeper.
 */
function quoteAt(text: string, start: number): string | undefined {
  const at = afterBackslashes(text, start);
  return isQuote(text[at]) ? text.slice(start, at + 1) : undefined;
}

function afterBackslashes(text: string, start: number): number {
  let at = start;
  while (text[at] === '\\') at += 1;
  return at;
}

/**
 * Returns the index after the closing quote. In JSON that is in a JSON text, both quotes have the same number n of backslashes
 * before them. The value itself may end with backslashes: each is written as 2 (n + 1) backslashes, followed by those of the
 * closing quote.
 */
function endOfQuoted(text: string, start: number, quote: string): number {
  const backslashes = quote.length - 1;
  let run = 0;
  for (let at = start + quote.length; at < text.length; at += 1) {
    if (text[at] === '\\') run += 1;
    else if (text[at] === quote[backslashes] && run % (2 * quote.length) === backslashes) return at + 1;
    else run = 0;
  }
  return text.length;
}

/** Returns the index after the closing bracket for the bracket at `start`. Brackets in quotes do not count. */
function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const quote = quoteAt(text, at);
    if (quote !== undefined) at = endOfQuoted(text, at, quote) - 1;
    else if (text[at] === '\\') at = afterBackslashes(text, at) - 1;
    else if ('[{('.includes(text[at] as string)) depth += 1;
    else if (']})'.includes(text[at] as string)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/**
 * Returns the index after a value without quotes. The value ends at white space, or at a quote that closes the text around the
 * value. Punctuation at the end is not part of the value.
 */
function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/\s/.test(text[at] as string)) {
    const quote = quoteAt(text, at);
    if (quote !== undefined && isAtEnd(text, at + quote.length)) break;
    const next = at + (quote?.length ?? Math.max(afterBackslashes(text, at) - at, 1));
    // In a shell, "\ " is a space within a word.
    at = text[next - 1] === '\\' && text[next] === ' ' ? next + 1 : next;
  }
  while (at > start && ',;)}]>|&'.includes(text[at - 1] as string)) at -= 1;
  return at;
}

function isAtEnd(text: string, at: number): boolean {
  return at >= text.length || isQuote(text[at]) || /[\s\\,:;)}\]>|&]/.test(text[at] as string) || text.startsWith('/>', at);
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'" || character === '`';
}
