import { withoutCutSecret } from '@tenterhook/runtime/log';

/** The maximum number of bytes of a hook's input in a message. */
const mostBytes = 65_536;

/** Returns the beginning of what a hook receives, and the bytes of the whole. */
export function beginningOfInput(stdin: string): { readonly stdin: string; readonly stdinBytes: number } {
  // A text of this length has at most three bytes for each character, so most inputs need not be encoded.
  if (stdin.length * 3 <= mostBytes) return { stdin, stdinBytes: Buffer.byteLength(stdin) };
  const bytes = Buffer.from(stdin);
  if (bytes.length <= mostBytes) return { stdin, stdinBytes: bytes.length };
  let end = mostBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return { stdin: withoutCutSecret(bytes.toString('utf8', 0, end)), stdinBytes: bytes.length };
}
