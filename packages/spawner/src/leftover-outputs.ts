import type { JobOutput } from './io/output.js';

/** Two descriptors each. */
const mostOutputs = 256;

/**
 * Outputs of jobs that have settled and that somebody still holds: processes that were left behind, or that are being killed. They are read on and
 * thrown away, because a process that nobody reads from stands still when it writes. Of more than 256 the oldest is let go of, and at the end
 * of the spawner all of them: who writes to one of these gets SIGPIPE.
 */
export class LeftoverOutputs {
  readonly #outputs = new Set<JobOutput>();

  add(output: JobOutput): void {
    if (output.hasEnded) return;
    output.forgetText();
    this.#outputs.add(output);
    void output.ended.then(() => this.#outputs.delete(output));
    if (this.#outputs.size <= mostOutputs) return;
    const [oldest] = this.#outputs;
    if (oldest === undefined) return;
    // It ends in a later turn of the loop; until then others may come, and each must let go of another one.
    this.#outputs.delete(oldest);
    oldest.stop();
  }

  stop(): void {
    for (const output of this.#outputs) output.stop();
  }
}
