import { drainOutput, whenJobIsGone } from './drain-output.js';
import { findProcesses, type JobProcesses } from './job-processes.js';
import { removeFiles } from './remove-files.js';

/** All jobs that ended within it share one look at the processes of the machine. */
const lookEveryMs = 1000;

/**
 * The output files of jobs that ended normally with nobody left in their group. A daemon that left the group may still write to them, and a file
 * without a name would grow unseen in memory; so they are removed a moment later, when it is known that there is none. To know it at the
 * exit would cost every job a walk through /proc.
 */
export class LeftoverFiles {
  #entries: { readonly job: JobProcesses; readonly paths: readonly string[] }[] = [];
  #timer: NodeJS.Timeout | undefined;

  add(job: JobProcesses, paths: readonly string[]): void {
    // Elsewhere a process that left its group cannot be found, so there is nothing to wait for.
    if (process.platform !== 'linux') {
      removeFiles(paths);
      return;
    }
    this.#entries.push({ job, paths });
    this.#timer ??= setTimeout(() => void this.#look(), lookEveryMs).unref();
  }

  /** With the directory the files go. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#entries = [];
  }

  async #look(): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    this.#timer = undefined;
    await Promise.all(
      entries.map(async ({ job, paths }) => {
        const left = await findProcesses(job);
        if (left === undefined || left.length === 0) removeFiles(paths);
        else drainOutput(paths, whenJobIsGone(job));
      }),
    );
  }
}
