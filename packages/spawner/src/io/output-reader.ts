import { closeSync, constants, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { BoundedOutput } from './bounded-output.js';

/** One buffer for all readers: each chunk is processed before the next one is read. */
const buffer = Buffer.allocUnsafe(65_536);

/**
 * After this number of discarded bytes, reading pauses for `restMs`. Otherwise a process that writes gigabytes would slow down the agent.
 */
const discardedAtOnce = 4 * 1024 * 1024;
const restMs = 10;

/** Reads one output until all processes have closed it. The reader does not keep the event loop alive; the job does. */
export class OutputReader {
  /** Resolves when no process holds the other end any more, or after stop(). */
  readonly ended: Promise<void>;
  readonly #from: number | Readable;
  #isLent: boolean;
  readonly #output: BoundedOutput;
  readonly #onData: (chunk: Buffer, chunkBytes: number) => void;
  /** Present while the output is watched. */
  #stream: Readable | undefined;
  #discarded = 0;
  #sawEnd = false;
  #hasEnded = false;
  #onEnded = (): void => {};

  /**
   * `from` is the descriptor of our end of a pipe, or the stream that Node created. The reader closes the descriptor, unless it is lent.
   */
  constructor(from: number | Readable, isLent: boolean, output: BoundedOutput, onData: (chunk: Buffer, chunkBytes: number) => void) {
    this.#from = from;
    this.#isLent = isLent;
    this.#output = output;
    this.#onData = onData;
    this.ended = new Promise((resolve) => {
      this.#onEnded = () => {
        this.#hasEnded = true;
        resolve();
      };
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether the descriptor was lent, everything was read, and all processes have closed the output. */
  get isReusable(): boolean {
    return this.#sawEnd && this.#isLent;
  }

  /** Reads a FIFO until it is empty. Does nothing once the FIFO is watched. */
  readNow(): void {
    if (typeof this.#from !== 'number' || this.#stream !== undefined || this.#hasEnded) return;
    try {
      let bytes: number;
      do {
        bytes = readSync(this.#from, buffer);
        if (bytes > 0 && !this.#take(buffer, bytes)) return;
      } while (bytes > 0);
    } catch {
      // EAGAIN: the FIFO is empty, and a process has it open. Another error is found again when the FIFO is watched.
      return;
    }
    this.#sawEnd = true;
    this.#close();
  }

  /** Reads whenever something is written. */
  watch(): void {
    if (this.#stream !== undefined || this.#hasEnded) return;
    const from = this.#from;
    if (typeof from === 'number') {
      const fd = this.#openAgain(from);
      // If no process had the FIFO open when it was opened, the system does not report its end to a stream. A read finds the end.
      if (fd !== from) this.readNow();
      if (this.#hasEnded) {
        closeSync(fd);
        return;
      }
      const callback = (chunkBytes: number) => this.#take(buffer, chunkBytes);
      // `onread` avoids a new buffer for each chunk. The types of Node lack this option.
      const options = { fd, readable: true, writable: false, onread: { buffer, callback } };
      this.#stream = new Socket(options).unref();
    } else {
      this.#stream = from.on('data', (chunk: Buffer) => {
        if (!this.#take(chunk, chunk.length)) from.pause();
      });
      (from as Socket).unref();
    }
    this.#stream.once('end', () => {
      this.#sawEnd = true;
    });
    this.#stream.once('close', this.#onEnded);
    // Errors are ignored, because a program holds the other end and may cause any error.
    this.#stream.on('error', () => {});
    this.#stream.resume();
  }

  /** Takes over a lent descriptor: the reader closes it. */
  keep(): void {
    if (!this.#isLent) return;
    this.#isLent = false;
    // Without this descriptor, SIGPIPE ends a process that writes after stop().
    if (typeof this.#from === 'number' && (this.#stream !== undefined || this.#hasEnded)) closeSync(this.#from);
  }

  /** Stops reading. A process that writes afterwards receives SIGPIPE, unless the descriptor is lent. */
  stop(): void {
    if (this.#stream !== undefined) this.#stream.destroy();
    else if (!this.#hasEnded) this.#close();
  }

  /** A stream closes its descriptor, so that of a lane is opened once more. Without a free descriptor, that of the lane is used up. */
  #openAgain(fd: number): number {
    if (!this.#isLent) return fd;
    try {
      return openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch {
      this.#isLent = false;
      return fd;
    }
  }

  #close(): void {
    if (typeof this.#from !== 'number') this.#from.destroy();
    else if (!this.#isLent) closeSync(this.#from);
    this.#onEnded();
  }

  #take(chunk: Buffer, chunkBytes: number): boolean {
    this.#output.add(chunk, chunkBytes);
    this.#onData(chunk, chunkBytes);
    return this.#goesOn(chunkBytes);
  }

  #goesOn(bytes: number): boolean {
    if (!this.#output.isFull) return true;
    this.#discarded += bytes;
    if (this.#discarded < discardedAtOnce) return true;
    this.#discarded = 0;
    setTimeout(() => this.#stream?.resume(), restMs).unref();
    return false;
  }
}
