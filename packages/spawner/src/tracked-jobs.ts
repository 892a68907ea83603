import { findProcessesNow, type JobProcesses } from './job-processes.js';
import { type DyingJob, killJob } from './kill-job.js';
import { signalGroup, signalProcess } from './process-group.js';

/** At our exit: what forks while it is being killed is met again. */
const exitRounds = 5;

/** The jobs whose processes a spawner answers for: those that run, and those that are being killed. */
export class TrackedJobs {
  readonly #running = new Set<JobProcesses>();
  readonly #dying = new Map<JobProcesses, DyingJob>();

  get dying(): number {
    return this.#dying.size;
  }

  add(job: JobProcesses): void {
    this.#running.add(job);
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

  /** For the exit of our process, where nothing asynchronous happens any more. */
  killNow(): void {
    const jobs = [...this.#running, ...this.#dying.keys()];
    if (jobs.length === 0) return;
    for (const { group } of jobs) signalGroup(group, 'SIGKILL');
    for (let round = 0; round < exitRounds; round += 1) {
      const left = findProcessesNow(jobs);
      if (left.length === 0) return;
      for (const pid of left) signalProcess(pid, 'SIGKILL');
    }
  }
}
