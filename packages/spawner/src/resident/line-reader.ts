import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { BoundedOutput, type OutputText } from '../io/bounded-output.js';

const lineFeed = 0x0a;

/** Splits an output into lines. A line that exceeds the limit ends the reading, because its end may never come. */
export class LineReader {
  /** Resolves when the output has ended. */
  readonly ended: Promise<void>;
  readonly #mostBytes: number;
  readonly #onLine: (line: OutputText) => void;
  #line: BoundedOutput | undefined;
  #changedAt = performance.now();
  #isStopped = false;

  constructor(stream: Readable, mostBytes: number, onLine: (line: OutputText) => void) {
    this.#mostBytes = mostBytes;
    this.#onLine = onLine;
    this.ended = new Promise((resolve) => stream.once('close', resolve));
    stream.on('error', () => {}).on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /** The time of `performance.now()` at which the last output was read. */
  get changedAt(): number {
    return this.#changedAt;
  }

  #take(chunk: Buffer): void {
    this.#changedAt = performance.now();
    let from = 0;
    while (!this.#isStopped && from < chunk.length) {
      const end = chunk.indexOf(lineFeed, from);
      const part = chunk.subarray(from, end < 0 ? undefined : end);
      from += part.length + 1;
      if (end >= 0 && this.#line === undefined && part.length <= this.#mostBytes) this.#onLine(textOf(part));
      else this.#grow(part, end >= 0);
    }
  }

  #grow(part: Buffer, isComplete: boolean): void {
    this.#line ??= new BoundedOutput(this.#mostBytes);
    this.#line.add(part, part.length);
    const { isFull } = this.#line;
    if (!isComplete && !isFull) return;
    const line = this.#line.read(isFull ? 0 : this.#mostBytes);
    this.#line = undefined;
    this.#isStopped = isFull;
    this.#onLine(line);
  }
}

function textOf(bytes: Buffer): OutputText {
  return { text: bytes.toString(), bytes: bytes.length, truncated: false, invalidUtf8: !isUtf8(bytes) };
}
