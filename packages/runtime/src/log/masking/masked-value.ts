export const mask = '***';

/** What is shown of a value, and where it ends. */
export interface MaskedValue {
  readonly shown: string;
  readonly end: number;
}

/**
 * The value that begins at `start` of a text which may be a command, JSON, JSON within JSON, YAML or code. Better too much than a tail:
 * a value without quotes goes on to white space, one whose end is missing to the end of the text. Takes linear time.
 */
export function maskedValue(text: string, start: number): MaskedValue {
  // What has been masked stays as it is: a line may come through here twice.
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

/** A quote with the backslashes before it: `"` in JSON, `\"` in JSON within JSON, `\\\"` one level further down. */
function quoteAt(text: string, start: number): string | undefined {
  const at = behindBackslashes(text, start);
  return isQuote(text[at]) ? text.slice(start, at + 1) : undefined;
}

function behindBackslashes(text: string, start: number): number {
  let at = start;
  while (text[at] === '\\') at += 1;
  return at;
}

/** Behind the closing quote. With n backslashes before the opening one, every escape inside takes a multiple of 2 (n + 1) more of them. */
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

/** Behind the bracket that closes the one at `start`; brackets inside of quotes do not count. */
function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const quote = quoteAt(text, at);
    if (quote !== undefined) at = endOfQuoted(text, at, quote) - 1;
    else if (text[at] === '\\') at = behindBackslashes(text, at) - 1;
    else if ('[{('.includes(text[at] as string)) depth += 1;
    else if (']})'.includes(text[at] as string)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** Where white space comes, or a quote that closes what the word stands in; punctuation at the end is not the word's. */
function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/\s/.test(text[at] as string)) {
    const quote = quoteAt(text, at);
    if (quote !== undefined && isAtEnd(text, at + quote.length)) break;
    const behind = at + (quote?.length ?? Math.max(behindBackslashes(text, at) - at, 1));
    // "\ " is a space of the word, as a shell reads it.
    at = text[behind - 1] === '\\' && text[behind] === ' ' ? behind + 1 : behind;
  }
  while (at > start && ',;)}]>|&'.includes(text[at - 1] as string)) at -= 1;
  return at;
}

function isAtEnd(text: string, at: number): boolean {
  return at >= text.length || isQuote(text[at]) || /[\s\\,:;)}\]>|&]/.test(text[at] as string);
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'" || character === '`';
}
