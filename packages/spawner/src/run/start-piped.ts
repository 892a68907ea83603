import type { Readable, Writable } from 'node:stream';
import { atExit } from '../kill/at-exit.js';
import { createJobId, withoutMode } from '../kill/job-ids.js';
import { TrackedJobs } from '../kill/tracked-jobs.js';
import { type Attempt, type ProcessEnd, type SpawnRequest, spawnProcess } from './spawn-process.js';

/** A program of the user that we talk to over its stdin and stdout, until one of us ends. Its stderr is ours. */
export interface PipedProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the program has ended. Processes that it started may still run and hold its output open. */
  readonly ended: Promise<ProcessEnd>;
  /**
   * Ends the program and everything that is left in its process group: SIGTERM now, SIGKILL after `graceMs`. Resolves when nothing is left.
   * A second call can only shorten the time that is left.
   */
  kill(graceMs: number): Promise<void>;
}

/**
 * Starts a program with pipes for stdin and stdout. It leads a process group of its own, because a launcher such as npx leaves the program
 * itself running when only the launcher is killed. If our process exits first, the group is killed.
 */
export async function startPiped(request: Pick<SpawnRequest, 'file' | 'args' | 'cwd' | 'env'>): Promise<Attempt<PipedProcess>> {
  const started = await spawnProcess({ ...request, env: withoutMode(request.env), stdio: ['pipe', 'pipe', 'inherit'] });
  if ('error' in started) return started;
  const { pid, ended, stdin, streams } = started.spawned;
  // The program is not a hook, so its environment does not have the id, and only its group is killed.
  const job = { group: pid, jobId: createJobId() };
  const jobs = new TrackedJobs();
  jobs.add(job);
  const forgetExit = atExit(() => jobs.killNow());
  let gone: Promise<void> | undefined;
  return {
    pid,
    stdin: stdin as Writable,
    stdout: streams[0] as Readable,
    ended,
    kill(graceMs) {
      if (gone !== undefined) return jobs.hurry(graceMs);
      gone = jobs.kill(job, graceMs).then(() => {
        forgetExit();
        jobs.close();
      });
      return gone;
    },
  };
}
