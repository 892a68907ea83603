import type { Writable } from 'node:stream';

/**
 * Notices that the other side of a stream reads nothing: for a while, not one of the waiting chunks has left our memory. A side that reads
 * slowly is not stalled.
 */
export class StallWatch {
  readonly #stream: Writable;
  readonly #longestMs: number;
  readonly #onStall: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isStalled = false;

  constructor(stream: Writable, longestMs: number, onStall: () => void) {
    this.#stream = stream;
    this.#longestMs = longestMs;
    this.#onStall = onStall;
    stream.on('drain', () => this.#end()).on('close', () => this.#end());
  }

  /** Whether the other side has read nothing for so long. It ends when everything that waits has been read. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Watches the stream until everything that waits has been read. */
  start(): void {
    if (this.#timer !== undefined || this.#isStalled || this.#stream.destroyed) return;
    const before = this.#stream.writableLength;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#stream.writableLength < before) return this.start();
      this.#isStalled = true;
      this.#onStall();
    }, this.#longestMs);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isStalled = false;
  }
}
