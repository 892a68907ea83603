import { join } from 'node:path';
import { BoundedOutput } from './bounded-output.js';
import type { CapturedOutput } from './process-job.js';
import { removeFiles } from './remove-files.js';

/** A job that is over before pays nothing; `yes` writes 25 to 30 MB in this time. */
const boundEveryMs = 20;

/** stdout and stderr of one job. Fresh files for every job: what the last one left behind may still be writing to its own. */
export class JobOutput {
  readonly #stdout: BoundedOutput;
  readonly #stderr: BoundedOutput;
  #timer: NodeJS.Timeout | undefined;

  /** Throws the errno of the file system, and leaves nothing then. */
  constructor(directory: string, id: number, caps: { readonly stdoutBytes: number; readonly stderrBytes: number }) {
    this.#stdout = new BoundedOutput(join(directory, `o${id}`), caps.stdoutBytes);
    try {
      this.#stderr = new BoundedOutput(join(directory, `e${id}`), caps.stderrBytes);
    } catch (error) {
      this.#stdout.close();
      removeFiles([this.#stdout.path]);
      throw error;
    }
  }

  get descriptors(): readonly [stdout: number, stderr: number] {
    return [this.#stdout.fd, this.#stderr.fd];
  }

  get bytes(): number {
    return this.#stdout.bytes + this.#stderr.bytes;
  }

  /** From the start of the process to close(). */
  keepBounded(): void {
    // Not holding the loop open: the process does.
    this.#timer = setInterval(() => {
      try {
        this.#stdout.bound();
        this.#stderr.bound();
      } catch {
        // Here nobody could be told; capture() meets it again, and is.
      }
    }, boundEveryMs).unref();
  }

  capture(): Omit<CapturedOutput, 'pid' | 'leftProcesses'> {
    const stdout = this.#stdout.read();
    const stderr = this.#stderr.read();
    return {
      stdout: stdout.text,
      stderr: stderr.text,
      stdoutBytes: stdout.bytes,
      stderrBytes: stderr.bytes,
      stdoutTruncated: stdout.truncated,
      stderrTruncated: stderr.truncated,
      invalidUtf8: stdout.invalidUtf8 || stderr.invalidUtf8,
      stdoutEmptied: stdout.emptied,
      stderrEmptied: stderr.emptied,
    };
  }

  /** Lets go of the files and leaves it to `dispose` what becomes of them: there may be processes that still write. */
  close(dispose: (paths: readonly string[]) => void): void {
    clearInterval(this.#timer);
    this.#stdout.close();
    this.#stderr.close();
    dispose([this.#stdout.path, this.#stderr.path]);
  }
}
