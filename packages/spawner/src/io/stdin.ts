import { randomBytes } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onStop, type StopSignal } from '../job.js';
import { type PrivateDirectory, removeFiles } from './private-directory.js';

/** A standard input, opened for one job. */
export interface StdinFile {
  readonly fd: number;
  /** Closes our copy of the descriptor, once the process has its own. */
  close(): void;
  /** Called when the job has ended. The memory of the input may be reused. */
  release(): void;
}

/** Limits of the memory for the inputs of all jobs. */
export interface InputLimits {
  /** Inputs of up to this many bytes never wait for memory, because those of all jobs that run at once need little. */
  readonly smallBytes: number;
  /** The limit of all larger inputs together. A single input may be larger. */
  readonly largeBytes: number;
}

/** Texts shorter than this are encoded again for each job, because this is faster than looking them up. */
const sharedLength = 16_384;

const defaultLimits: InputLimits = { smallBytes: 1024 * 1024, largeBytes: 64 * 1024 * 1024 };

/**
 * Creates the standard inputs of jobs, as files. Pipes were rejected. A pipe needs a writer that waits if the process never reads, and that
 * gets EPIPE if the process is gone. A pipe that is filled before the start needs no writer, but `cat /dev/stdin` may hang on it or miss
 * what was already read. From a file it reads everything (field failure 50).
 *
 * Each job has its own file, without a name. Sharing one between jobs with the same text was rejected: their processes run as the owner of
 * the file, so one of them could make it writable (`chmod u+w /dev/stdin`) and change what a guard reads (field failure 71). So each job
 * needs memory for its input, and large inputs wait until there is room: those of running jobs take at most 64 MiB together, not counting
 * inputs of up to 1 MiB.
 */
export class StdinFiles {
  readonly #limits: InputLimits;
  #largeBytes = 0;
  /**
   * Resolves when the large input that was opened last has room. The next one waits for it, so inputs get room in the order of the calls of
   * open().
   */
  #last: Promise<void> = Promise.resolve();
  #onRelease = (): void => {};
  /** Encoded texts, for as long as a job uses them. All hooks of an event receive the same string. */
  readonly #encoded = new Map<string, { readonly bytes: Buffer; users: number }>();

  constructor(limits = defaultLimits) {
    this.#limits = limits;
  }

  /**
   * Opens the input of a job. Rejects with NoRoom, with the errno of the file system, or when the job is stopped while it waits for room.
   */
  async open(directory: PrivateDirectory, text: string, signal: StopSignal): Promise<StdinFile> {
    const { bytes, forget } = this.#encode(text);
    const isLarge = bytes.length > this.#limits.smallBytes;
    try {
      if (isLarge) await this.#takeRoom(bytes.length, signal);
    } catch (error) {
      forget();
      throw error;
    }
    return this.#write(directory, bytes, () => {
      forget();
      if (!isLarge) return;
      this.#largeBytes -= bytes.length;
      this.#onRelease();
    });
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

  #write(directory: PrivateDirectory, bytes: Buffer, release: () => void): StdinFile {
    try {
      const fd = directory.use(bytes.length, (path) => writeUnnamed(path, bytes));
      return { fd, close: () => closeSync(fd), release };
    } catch (error) {
      release();
      throw error;
    }
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

/**
 * Writes the bytes to a file without a name, and returns a descriptor for reading it. If it throws the errno of the file system, it leaves
 * nothing open.
 */
function writeUnnamed(directory: string, bytes: Buffer): number {
  // The name is unpredictable. If a job could guess it and create the file first, it could keep the next job from starting.
  const path = join(directory, `i${randomBytes(9).toString('hex')}`);
  const writeFd = openSync(path, 'wx', 0o400);
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    // The name is removed before the file has content, because other jobs may watch the directory.
    unlinkSync(path);
    writeFileSync(writeFd, bytes);
    return fd;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    removeFiles([path]);
    throw error;
  } finally {
    closeSync(writeFd);
  }
}
