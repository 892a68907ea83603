import { closeSync, openSync } from 'node:fs';
import { onStop, type StopSignal } from '../job.js';
import { findProcesses, findProcessesNow, type JobProcesses, type SearchedJob } from './job-processes.js';
import { type DyingJob, killJob } from './kill-job.js';
import { isGroupAlive, signalGroup, signalProcess } from './process-group.js';

/**
 * The number of rounds of killing when our process exits. A round may miss a process that is forked while its parent is killed; the next
 * one finds it.
 */
const exitRounds = 5;

/**
 * The longest time for counting processes, in milliseconds. With thousands of processes a walk through /proc takes longer, and the answer
 * of the hook must not wait for it (decision 29).
 */
const longestCountMs = 100;

/** The limits for counting the processes that a job left running. */
export interface CountOptions {
  /**
   * Tests whether a process still holds the output of the job. It may have left the group. It is called again after the search: if our
   * process was busy, the end of the output is noticed during the search.
   */
  readonly isOutputHeld: () => boolean;
  readonly deadlineAt: number;
  readonly signal: StopSignal;
}

/** The jobs whose processes a spawner is responsible for: running jobs, and jobs that are being killed. */
export class TrackedJobs {
  readonly #running = new Set<JobProcesses>();
  readonly #dying = new Map<JobProcesses, DyingJob>();
  /** A file descriptor in reserve. The search for processes at our exit needs one, and no other may be free then. */
  #reserve: number | undefined;

  get dying(): number {
    return this.#dying.size;
  }

  add(job: JobProcesses): void {
    this.#running.add(job);
    this.#reserve ??= openReserve();
  }

  /** Stops tracking a job that ended normally. Its remaining processes are not killed (decision 29). */
  release(job: JobProcesses): void {
    this.#running.delete(job);
  }

  /**
   * Returns the number of running processes of the job. Returns 1, meaning "at least one", if they cannot be counted, or if counting takes
   * too long. Returns 0 without a search if the group is empty and the output has ended.
   */
  async countLeft(job: JobProcesses, { isOutputHeld, deadlineAt, signal }: CountOptions): Promise<number> {
    if (!isOutputHeld() && !isGroupAlive(job.group)) return 0;
    const longestMs = Math.max(0, Math.min(longestCountMs, deadlineAt - performance.now()));
    let timer: NodeJS.Timeout | undefined;
    let forgetSignal = (): void => {};
    const tooLong = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, longestMs, undefined);
      forgetSignal = onStop(signal, () => resolve(undefined));
    });
    const found = await Promise.race([findProcesses(job), tooLong]);
    clearTimeout(timer);
    forgetSignal();
    return found?.length ?? (isOutputHeld() || isGroupAlive(job.group) ? 1 : 0);
  }

  /** Kills a job. Resolves when all its processes are gone. Callers need not wait, because the job is tracked until then. */
  kill(job: JobProcesses, graceMs: number): Promise<void> {
    this.#running.delete(job);
    const dying = killJob(job, graceMs);
    this.#dying.set(job, dying);
    return dying.gone.then(() => {
      this.#dying.delete(job);
    });
  }

  /** Resolves when one of the dying jobs is gone; at once if no job is dying. */
  async oneGone(): Promise<void> {
    if (this.#dying.size > 0) await Promise.race([...this.#dying.values()].map((dying) => dying.gone));
  }

  /** Shortens the grace period of all dying jobs to `graceMs` from now. Resolves when they are gone. */
  async hurry(graceMs: number): Promise<void> {
    for (const dying of this.#dying.values()) dying.hurry(graceMs);
    await Promise.all([...this.#dying.values()].map((dying) => dying.gone));
  }

  /** Shortens the grace period of the oldest dying job to `graceMs`. Other jobs wait for its slot. */
  hurryOldest(graceMs: number): void {
    const [oldest] = this.#dying.values();
    oldest?.hurry(graceMs);
  }

  /** Closes the reserved descriptor, after the last job. */
  close(): void {
    if (this.#reserve !== undefined) closeSync(this.#reserve);
    this.#reserve = undefined;
  }

  /** Kills all processes when our process exits. Synchronous, because an exiting process runs nothing asynchronous. */
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
