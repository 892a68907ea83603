import { maskAfter } from './mask-after.js';
import { mask } from './masked-value.js';

/**
 * The name of a header, and the blanks after it. A value that begins with a quote is left to the patterns of names. What is masked already
 * stays, because a recording has the mask in place of a known secret.
 */
const header =
  /\b(?:authorization|cookie)\s{0,4}:\s{0,4}[ \t]*(?![\s"'\\]|(?:(?:Bearer|Basic|Token|ApiKey)\s{1,4})?\*\*\*(?:$|[\s"'\\,;]))/gi;
const plain = /[^\r\n"'\\]+/y;
/** A value in quotes, as in `Token token="…"`. A quote that ends the text around the header has a blank or punctuation after it. */
const quoted = /(?<==)(\\{0,31}["'])(?:[\w+/.~%-][^\r\n"']{0,4096}?)?\1/y;

/** Masks the values of headers for authorization and cookies, up to the end of the line, because such a header has several. Takes linear time. */
export function maskHeaders(text: string): string {
  return maskAfter(text, header, (_, start) => {
    const end = endOfValue(text, start);
    return end === start ? undefined : { shown: mask, end };
  });
}

/** One pattern for all parts was rejected: for each repetition of a group it takes memory of a stack, which is too small for a long line. */
function endOfValue(text: string, start: number): number {
  let end = start;
  for (;;) {
    const part = [plain, quoted].find((pattern) => {
      pattern.lastIndex = end;
      return pattern.test(text);
    });
    if (part === undefined) return end;
    end = part.lastIndex;
  }
}
