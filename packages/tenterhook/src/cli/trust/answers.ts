import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';

/**
 * Reads answers from a terminal, line by line. Ignores lines that were typed or pasted before the question was shown. The terminal itself
 * edits the line, and Ctrl-C ends the process.
 */
export class Answers {
  readonly #lines: Interface;
  #waiting: ((line: string | undefined) => void) | undefined;
  #isClosed = false;

  constructor(stdin: Readable) {
    this.#lines = createInterface({ input: stdin, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
    this.#lines.on('line', (line) => this.#answer(line));
    this.#lines.on('close', () => {
      this.#isClosed = true;
      this.#answer(undefined);
    });
  }

  /** Resolves to the next line, trimmed. Undefined at the end of the input (Ctrl-D). */
  next(): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** Stops reading, so that the process can end. */
  close(): void {
    this.#lines.close();
  }

  #answer(line: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(line?.trim());
  }
}
