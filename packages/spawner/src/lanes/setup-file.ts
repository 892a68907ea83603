import { closeSync, fstatSync, writeSync } from 'node:fs';
import type { PrivateDirectory } from '../io/private-directory.js';
import { writeShared } from '../io/unnamed-file.js';

/** The first line is a comment until its first byte is overwritten. A single byte is never half written. */
const lock = '#kill -9 $BASHPID\n';
const locked = Buffer.from(' ');

/** Milliseconds after which a process that was forked by a lost lane has read its setup. */
const orphanMs = 1000;

/** The last command. The job empties the file, so that our process sees that the command of the job begins. */
const begin = ' && : >"$__th_p/$__th_s"\n';

/**
 * The file without a name from which a lane prepares a job. It decides whether the command of the job may begin: a lane that was slow or
 * paused could otherwise start a job after it was cancelled.
 */
export class SetupFile {
  /** The descriptor of our process by which the lane opens the file. */
  readonly fd: number;
  readonly #bytes: number;

  /** `setup` are the commands that prepare the job, joined by `&&`. Throws the errno if the file cannot be written. */
  constructor(directory: PrivateDirectory, setup: string) {
    const text = Buffer.from(`${lock}${setup}${begin}`);
    this.#bytes = text.length;
    this.fd = directory.use(text.length, (path) => writeShared(path, text));
  }

  /** Whether the command of the job has begun. Final when the process of the job has ended. */
  get hasBegun(): boolean {
    return fstatSync(this.fd).size < this.#bytes;
  }

  /** A job that reads the file from now on kills itself before its command begins. */
  lock(): void {
    try {
      if (!this.hasBegun) writeSync(this.fd, locked, 0, 1, 0);
    } catch {
      // A full disk. A job that begins nevertheless is found by its process, and killed.
    }
  }

  close(): void {
    closeSync(this.fd);
  }

  /**
   * Closes the file after its lane was killed. A process that the lane had forked may open the file by the number of our descriptor for some
   * time. It must not find the file of another job there.
   */
  closeLate(): void {
    this.lock();
    setTimeout(() => this.close(), orphanMs).unref();
  }
}
