import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { BoundedOutput } from './io/bounded-output.js';

/** All readers share one: a chunk is looked at before the next one is read. */
const buffer = Buffer.allocUnsafe(65_536);

/** Of what is thrown away so much is read at once, and then the loop has a rest: a flood must not take the agent's time, only the hook's. */
const discardedAtOnce = 4 * 1024 * 1024;
const restMs = 10;

/** Reads one output to its end, whoever holds it. Does not hold the event loop open: the job does. */
export class OutputReader {
  /** Resolves when nobody holds the other end any more, or after stop(). */
  readonly ended: Promise<void>;
  readonly #stream: Readable;
  readonly #output: BoundedOutput;
  #discarded = 0;
  #hasEnded = false;

  /** `from`: our end of a pipe, which is closed with the reader; or what Node made of it. */
  constructor(from: number | Readable, output: BoundedOutput, onData: (chunk: Buffer, chunkBytes: number) => void) {
    this.#output = output;
    const take = (chunk: Buffer, chunkBytes: number): boolean => {
      output.add(chunk, chunkBytes);
      onData(chunk, chunkBytes);
      return this.#goesOn(chunkBytes);
    };
    if (typeof from === 'number') {
      const callback = (chunkBytes: number) => take(buffer, chunkBytes);
      // The type lacks `onread`, which spares a buffer for every chunk.
      const options = { fd: from, readable: true, writable: false, onread: { buffer, callback } };
      this.#stream = new Socket(options).unref();
    } else {
      this.#stream = from.on('data', (chunk: Buffer) => {
        if (!take(chunk, chunk.length)) from.pause();
      });
      (from as Socket).unref();
    }
    this.ended = new Promise((resolve) => {
      this.#stream.once('close', () => {
        this.#hasEnded = true;
        resolve();
      });
      // The other end is a program's, and it may do with it what it wants.
      this.#stream.on('error', () => {});
    });
    this.#stream.resume();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whoever still writes to it is told by SIGPIPE that nobody reads. */
  stop(): void {
    this.#stream.destroy();
  }

  #goesOn(bytes: number): boolean {
    if (!this.#output.isFull) return true;
    this.#discarded += bytes;
    if (this.#discarded < discardedAtOnce) return true;
    this.#discarded = 0;
    setTimeout(() => this.#stream.resume(), restMs).unref();
    return false;
  }
}
