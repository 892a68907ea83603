import { closeSync, openSync } from 'node:fs';
import { findProcessesNow, type JobProcesses, type SearchedJob } from '../job-processes.js';
import { type DyingJob, killJob } from './kill-job.js';
import { signalGroup, signalProcess } from './process-group.js';

/** At our exit: what forks while it is being killed is met again. */
const exitRounds = 5;

/** The jobs whose processes a spawner answers for: those that run, and those that are being killed. */
export class TrackedJobs {
  readonly #running = new Set<JobProcesses>();
  readonly #dying = new Map<JobProcesses, DyingJob>();
  /** A descriptor for the search at our exit, should there be no other. */
  #reserve: number | undefined;

  get dying(): number {
    return this.#dying.size;
  }

  add(job: JobProcesses): void {
    this.#running.add(job);
    this.#reserve ??= openReserve();
  }

  /** The job ended normally: what it left behind is its own (decision 29). */
  release(job: JobProcesses): void {
    this.#running.delete(job);
  }

  /** Resolves when none of its processes is left. Nobody has to wait for it: the job stays tracked until then. */
  kill(job: JobProcesses, graceMs: number): Promise<void> {
    this.#running.delete(job);
    const dying = killJob(job, graceMs);
    this.#dying.set(job, dying);
    return dying.gone.then(() => {
      this.#dying.delete(job);
    });
  }

  /** Resolves when one of the dying jobs is gone; at once when there is none. */
  async oneGone(): Promise<void> {
    if (this.#dying.size > 0) await Promise.race([...this.#dying.values()].map((dying) => dying.gone));
  }

  /** Resolves when no dying job is left, each with at most this grace from now. */
  async hurry(graceMs: number): Promise<void> {
    for (const dying of this.#dying.values()) dying.hurry(graceMs);
    await Promise.all([...this.#dying.values()].map((dying) => dying.gone));
  }

  /** Of those that are being killed the first gets no more than this grace: it stands in others' way. */
  hurryOldest(graceMs: number): void {
    const [oldest] = this.#dying.values();
    oldest?.hurry(graceMs);
  }

  /** After the last job. */
  close(): void {
    if (this.#reserve !== undefined) closeSync(this.#reserve);
    this.#reserve = undefined;
  }

  /** For the exit of our process, where nothing asynchronous happens any more. */
  killNow(): void {
    const jobs: SearchedJob[] = [...this.#running, ...[...this.#dying.values()].map(({ rest }) => rest)];
    if (jobs.length === 0) return;
    this.close();
    for (const { group } of jobs) if (group !== undefined) signalGroup(group, 'SIGKILL');
    for (let round = 0; round < exitRounds; round += 1) {
      const left = findProcessesNow(jobs);
      if (left.length === 0) return;
      for (const pid of left) signalProcess(pid, 'SIGKILL');
    }
  }
}

function openReserve(): number | undefined {
  try {
    return openSync('/dev/null', 'r');
  } catch {
    return undefined;
  }
}
