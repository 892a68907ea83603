import { BoundedOutput } from './bounded-output.js';

/** The most bytes of a line that is told. */
const longestLine = 65_536;

/** So long a line is told as it grows: what says something in its first line says it in a few words, and to decode each piece of a long one takes time. */
const longestPiece = 1024;

const lineFeed = 10;

/** Tells the first line of an output as it comes, until it is complete. Apart from what is kept of the output, which may be less. */
export class FirstLineWatch {
  readonly #tell: (text: string, isComplete: boolean) => void;
  readonly #line = new BoundedOutput(longestLine);
  #isOver = false;

  constructor(tell: (text: string, isComplete: boolean) => void) {
    this.#tell = tell;
  }

  /** The first so many bytes of the chunk, which may be used again afterwards. */
  add(chunk: Buffer, chunkBytes: number): void {
    if (this.#isOver) return;
    const end = chunk.subarray(0, chunkBytes).indexOf(lineFeed);
    const isComplete = end >= 0;
    this.#line.add(chunk, isComplete ? end : chunkBytes);
    this.#isOver = isComplete || this.#line.isFull;
    if (this.#line.isFull || (!isComplete && this.#line.bytes > longestPiece)) return;
    this.#tell(this.#line.read(longestLine).text, isComplete);
  }
}
