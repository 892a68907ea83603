/** The largest line that is read, in characters. A server that sends more than this is broken. */
const longestLine = 64 * 1024 * 1024;

/** Splits the bytes of a stream into lines of JSON. Bytes may end anywhere, also within a character. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  /** Pieces of the line that has not ended. Adding them up only at its end keeps a long line from being copied for each piece. */
  #rest: string[] = [];
  #restLength = 0;

  /** Returns the values of the lines that are now complete. Throws if a line is not valid JSON, or is too long. */
  push(bytes: Uint8Array): unknown[] {
    const pieces = this.#decoder.decode(bytes, { stream: true }).split('\n');
    const last = pieces.pop() as string;
    const values: unknown[] = [];
    for (const piece of pieces) {
      const line = this.#rest.length === 0 ? piece : [...this.#rest, piece].join('');
      this.#rest = [];
      this.#restLength = 0;
      if (line !== '') values.push(JSON.parse(line));
    }
    this.#restLength += last.length;
    if (this.#restLength > longestLine) throw new Error(`The server sent a line of more than ${longestLine} characters.`);
    if (last !== '') this.#rest.push(last);
    return values;
  }
}
