/** The maximum number of bytes of a hook's input in a message. */
const mostBytes = 65_536;

/** The maximum number of characters of a word that is left out at the end. */
const longestWord = 2_048;

/**
 * Returns the beginning of what a hook receives, and the bytes of the whole. The last word is left out, because half of a secret cannot be
 * recognised, and would be shown.
 */
export function beginningOfInput(stdin: string): { readonly stdin: string; readonly stdinBytes: number } {
  // A text of this length has at most three bytes for each character, so most inputs need not be encoded.
  if (stdin.length * 3 <= mostBytes) return { stdin, stdinBytes: Buffer.byteLength(stdin) };
  const bytes = Buffer.from(stdin);
  if (bytes.length <= mostBytes) return { stdin, stdinBytes: bytes.length };
  let end = mostBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const text = bytes.toString('utf8', 0, end);
  const tail = text.slice(-longestWord);
  const space = Math.max(...[' ', '\n', ',', '"'].map((mark) => tail.lastIndexOf(mark)));
  return { stdin: text.slice(0, text.length - tail.length + Math.max(0, space + 1)), stdinBytes: bytes.length };
}
