import { closeSync } from 'node:fs';
import { onStop, type StopSignal } from '../job.js';
import type { PrivateDirectory } from './private-directory.js';
import { writeUnnamed } from './unnamed-file.js';

/** A standard input, opened for one job. */
export interface StdinFile {
  readonly fd: number;
  /** Closes our copy of the descriptor. Call it once the process has its own copy. */
  close(): void;
  /** Called when the job has ended. The memory of the input may be reused. */
  release(): void;
}

/** Limits of the memory for the inputs of all jobs. */
export interface InputLimits {
  /** Inputs of up to this many bytes never wait for memory. These small inputs of all running jobs together take little memory. */
  readonly smallBytes: number;
  /** The limit of all larger inputs together. A single input may be larger. */
  readonly largeBytes: number;
}

/** Texts shorter than this are encoded again for each job. Looking them up would take longer. */
const sharedLength = 16_384;

const defaultLimits: InputLimits = { smallBytes: 1024 * 1024, largeBytes: 64 * 1024 * 1024 };

/**
 * Creates a file for the standard input of each job. Pipes were rejected:
 * - A pipe that is filled after the start needs a writer that waits for the process. The writer gets EPIPE if the process has ended.
 * - On a pipe that is filled before the start, `cat /dev/stdin` may hang, or miss what was already read (field failure 50).
 *
 * Each job has its own file, whose name is removed. One file for several jobs was rejected. Their processes run as the owner of the file.
 * One of them could run `chmod u+w /dev/stdin` and change what a guard reads (field failure 71).
 *
 * Each file takes memory. Running jobs have at most 64 MiB of inputs that are larger than 1 MiB; further large inputs wait.
 */
export class StdinFiles {
  readonly #limits: InputLimits;
  #largeBytes = 0;
  /**
   * Resolves when there is room for the large input that was opened last. The next large input waits for this promise. So inputs get room
   * in the order in which open() was called.
   */
  #last: Promise<void> = Promise.resolve();
  #onRelease = (): void => {};
  /** Encoded texts that running jobs use. All hooks of an event receive the same string. */
  readonly #encoded = new Map<string, { readonly bytes: Buffer; users: number }>();

  constructor(limits = defaultLimits) {
    this.#limits = limits;
  }

  /**
   * Opens the input of a job. `write` creates its file. Rejects with NoRoom, with the errno of the file system, or if the job is stopped
   * while it waits for room.
   */
  async open(directory: PrivateDirectory, text: string, signal: StopSignal, write = writeUnnamed): Promise<StdinFile> {
    const { bytes, forget } = this.#encode(text);
    const isLarge = bytes.length > this.#limits.smallBytes;
    try {
      if (isLarge) await this.#takeRoom(bytes.length, signal);
    } catch (error) {
      forget();
      throw error;
    }
    const release = (): void => {
      forget();
      if (!isLarge) return;
      this.#largeBytes -= bytes.length;
      this.#onRelease();
    };
    try {
      const fd = directory.use(bytes.length, (path) => write(path, bytes));
      return { fd, close: () => closeSync(fd), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  #encode(text: string): { readonly bytes: Buffer; forget(): void } {
    if (text.length < sharedLength) return { bytes: Buffer.from(text), forget: () => {} };
    const known = this.#encoded.get(text) ?? { bytes: Buffer.from(text), users: 0 };
    known.users += 1;
    this.#encoded.set(text, known);
    const forget = (): void => {
      known.users -= 1;
      if (known.users === 0) this.#encoded.delete(text);
    };
    return { bytes: known.bytes, forget };
  }

  #takeRoom(bytes: number, signal: StopSignal): Promise<void> {
    const taken = this.#last.then(() => this.#untilRoom(bytes, signal));
    this.#last = taken.catch(() => {});
    return taken;
  }

  async #untilRoom(bytes: number, signal: StopSignal): Promise<void> {
    while (!signal.aborted && this.#largeBytes > 0 && this.#largeBytes + bytes > this.#limits.largeBytes) {
      await new Promise<void>((resolve) => {
        const forgetSignal = onStop(signal, () => resolve());
        this.#onRelease = () => {
          forgetSignal();
          resolve();
        };
      });
    }
    if (signal.aborted) throw new Error('the job was stopped while its input waited for room');
    this.#largeBytes += bytes;
  }
}
