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
  /** The job is over. */
  release(): void;
}

/** How much of all inputs may exist at a time. */
export interface InputLimits {
  /** Inputs of up to so many bytes do not wait for room: as many as may run at once need little. */
  readonly smallBytes: number;
  /** The limit of all larger inputs together. A single one may be larger. */
  readonly largeBytes: number;
}

/** Shorter texts are encoded for each job, which takes less than to look them up. */
const sharedLength = 16_384;

const defaultLimits: InputLimits = { smallBytes: 1024 * 1024, largeBytes: 64 * 1024 * 1024 };

/**
 * Standard inputs as files. A pipe would need a writer, and its reader may never read or be gone (EPIPE, waiting). A pipe that was filled before the
 * start needs no writer, but `cat /dev/stdin` waits for one or finds the rest of the input; on a file it reads the whole (field failure 50).
 *
 * Each job has a file of its own, without a name. Jobs with the same text cannot share one: the processes run as its owner, who may change a
 * read-only file (`chmod u+w /dev/stdin`), and so what a guard reads (field failure 71). So inputs take memory for each job, and large ones wait for
 * room: the inputs of running jobs take at most 64 MiB, besides those of up to 1 MiB.
 */
export class StdinFiles {
  readonly #limits: InputLimits;
  #largeBytes = 0;
  /** The last large input that waits for room. They get it in the order of open(). */
  #last: Promise<void> = Promise.resolve();
  #onRelease = (): void => {};
  /** Texts as bytes, while a job has them: the string of an event is the same object for all its hooks. */
  readonly #encoded = new Map<string, { readonly bytes: Buffer; users: number }>();

  constructor(limits = defaultLimits) {
    this.#limits = limits;
  }

  /** Rejects with NoRoom, with the errno of the file system, or if the job is stopped while it waits. */
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

/** A descriptor for reading, of a file with these bytes that has no name any more. Throws the errno of the file system, and leaves nothing. */
function writeUnnamed(directory: string, bytes: Buffer): number {
  // Unpredictable: a job that created the file first could keep the next one from its input.
  const path = join(directory, `i${randomBytes(9).toString('hex')}`);
  const writeFd = openSync(path, 'wx', 0o400);
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    // Before it has content: other jobs may watch the directory.
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
