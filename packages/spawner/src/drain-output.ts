import { statSync, truncateSync } from 'node:fs';
import { findProcesses, type JobProcesses } from './job-processes.js';
import { isGroupAlive } from './process-group.js';
import { removeFiles } from './remove-files.js';

/** While somebody writes; doubled while nobody does, up to longestPauseMs. */
const shortestPauseMs = 20;
const longestPauseMs = 1000;

/** Every so many looks the processes are searched for, because unreaped ones look alive and some leave the group; a walk through /proc is too dear for every look. */
const looksPerSearch = 64;

/**
 * Keeps emptying the output files of a job that has settled, and removes them when nobody can write to them any more. Without it a process
 * that was left behind, or that ignores SIGTERM, could fill the memory that the files are in. By path, not by descriptor: there may be many, for days.
 *
 * Ends by itself when the files are gone, that is with the private directory; does not hold the event loop open.
 */
export function drainOutput(paths: readonly string[], hasEnded: () => boolean | Promise<boolean>): void {
  let pauseMs = shortestPauseMs;
  schedule();

  function schedule(): void {
    setTimeout(() => void look(), pauseMs).unref();
  }

  async function look(): Promise<void> {
    try {
      if (await hasEnded()) return removeFiles(paths);
      const sizes = paths.map((path) => statSync(path).size);
      paths.forEach((path, index) => {
        if (sizes[index] !== 0) truncateSync(path, 0);
      });
      pauseMs = sizes.some((size) => size > 0) ? shortestPauseMs : Math.min(2 * pauseMs, longestPauseMs);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      // EMFILE and the like: the next look may have more luck.
    }
    schedule();
  }
}

/** For processes that were left alone: nobody waits for them, so they have to be looked for. */
export function whenJobIsGone(job: JobProcesses): () => Promise<boolean> {
  let looks = 0;
  let wasGroupAlive = true;
  return async () => {
    looks += 1;
    const isAlive = isGroupAlive(job.group);
    const isDue = looks % looksPerSearch === 0 || (wasGroupAlive && !isAlive);
    wasGroupAlive = isAlive;
    if (!isDue) return false;
    const left = await findProcesses(job);
    return left === undefined ? !isAlive : left.length === 0;
  };
}
