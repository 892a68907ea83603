import { randomBytes } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { removeFiles } from '../io/private-directory.js';

/**
 * The FIFOs for stdout and stderr of the jobs of a lane. The lane creates them, because Node cannot, and opens them for each job by our
 * descriptors. A job that left no process gives them back empty, so a lane needs them once.
 */
export class LaneFifos {
  readonly names: readonly string[];
  #descriptors: readonly number[] = [];
  #isLent = false;
  #isClosed = false;

  constructor(directory: string) {
    // The names are random, and exist only until the FIFOs are open. A job that could guess them could create them first.
    const prefix = randomBytes(9).toString('hex');
    this.names = ['o', 'e'].map((kind) => join(directory, `p${prefix}${kind}`));
  }

  /** Our reading ends of stdout and stderr. Reading never blocks. */
  get descriptors(): readonly number[] {
    return this.#descriptors;
  }

  /** Opens both, and removes their names. Throws the errno, and then leaves nothing open. */
  open(): void {
    const opened: number[] = [];
    try {
      for (const name of this.names) opened.push(openSync(name, constants.O_RDONLY | constants.O_NONBLOCK));
      this.#descriptors = opened;
    } catch (error) {
      for (const fd of opened) closeSync(fd);
      throw error;
    } finally {
      this.removeNames();
    }
  }

  removeNames(): void {
    removeFiles(this.names);
  }

  /** Returns the descriptors for the output of a job, until `takeBack()`. */
  lend(): readonly number[] {
    this.#isLent = true;
    return this.#descriptors;
  }

  /** `isReusable`: the output has ended. Otherwise it closes the descriptors itself. */
  takeBack(isReusable: boolean): void {
    this.#isLent = false;
    if (!isReusable) this.#descriptors = [];
    if (this.#isClosed) this.close();
  }

  /** Closes the descriptors, those that are lent when they are given back. */
  close(): void {
    this.#isClosed = true;
    if (this.#isLent) return;
    for (const fd of this.#descriptors) closeSync(fd);
    this.#descriptors = [];
  }
}
