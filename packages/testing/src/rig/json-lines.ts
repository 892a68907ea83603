import type { Socket } from 'node:net';

/** More than the environment and the arguments of any process. */
const maxLineLength = 16 * 1024 * 1024;

/**
 * Hands over each line as the JSON it is, undefined where it is none. Where `read` says false the line is no message, so the peer is none of
 * ours, and its connection is cut.
 * Not node:readline: it also splits at U+2028, which JSON does not escape and an environment may hold.
 */
export function readJsonLines(socket: Socket, read: (value: unknown) => boolean): void {
  let rest = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    const lines = piece.split('\n');
    // Not (rest + piece).split(): a long line would be searched anew with each of its pieces.
    lines[0] = rest + lines[0];
    rest = lines.pop() as string;
    if (rest.length > maxLineLength || !lines.every((line) => read(parse(line)))) socket.destroy();
  });
}

export function writeJsonLine(socket: Socket, value: object): void {
  // After the end of the socket nobody is there to read; who waits for an answer is told by its 'close'.
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
