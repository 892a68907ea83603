import { closeSync, openSync } from 'node:fs';
import { onStop, type StopSignal } from '../job.js';
import { findProcesses, findProcessesNow, type JobProcesses, type SearchedJob } from './job-processes.js';
import { type DyingJob, killJob } from './kill-job.js';
import { isGroupAlive, signalGroup, signalProcess } from './process-group.js';

/** Rounds at our exit: a process that forks while it is being killed is found in the next round. */
const exitRounds = 5;

/** Longer than a walk through /proc usually takes. With thousands of processes, the answer must not wait for the count (decision 29). */
const longestCountMs = 100;

/** The limits for counting the processes that a job left running. */
export interface CountOptions {
  /** A process still holds the output of the job. It may have left the group. */
  readonly isOutputHeld: boolean;
  readonly deadlineAt: number;
  readonly signal: StopSignal;
}

/** The jobs whose processes a spawner is responsible for: running jobs, and jobs that are being killed. */
export class TrackedJobs {
  readonly #running = new Set<JobProcesses>();
  readonly #dying = new Map<JobProcesses, DyingJob>();
  /** A descriptor for the search at our exit, in case there is no other. */
  #reserve: number | undefined;

  get dying(): number {
    return this.#dying.size;
  }

  add(job: JobProcesses): void {
    this.#running.add(job);
    this.#reserve ??= openReserve();
  }

  /** The job ended normally. Processes that it left running are not killed (decision 29). */
  release(job: JobProcesses): void {
    this.#running.delete(job);
  }

  /**
   * The number of its processes that run now. 1 means "at least one" if they cannot be counted, or not before the deadline or a stop: the answer
   * matters more than the number. 0 without a search if its group is empty and its output has ended.
   */
  async countLeft(job: JobProcesses, { isOutputHeld, deadlineAt, signal }: CountOptions): Promise<number> {
    if (!isOutputHeld && !isGroupAlive(job.group)) return 0;
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
    return found?.length ?? (isGroupAlive(job.group) ? 1 : 0);
  }

  /** Resolves when none of its processes is left. It need not be awaited: the job stays tracked until then. */
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

  /** Resolves when no dying job is left. Each gets at most this grace period from now. */
  async hurry(graceMs: number): Promise<void> {
    for (const dying of this.#dying.values()) dying.hurry(graceMs);
    await Promise.all([...this.#dying.values()].map((dying) => dying.gone));
  }

  /** Limits the grace period of the oldest dying job: others wait for its slot. */
  hurryOldest(graceMs: number): void {
    const [oldest] = this.#dying.values();
    oldest?.hurry(graceMs);
  }

  /** After the last job. */
  close(): void {
    if (this.#reserve !== undefined) closeSync(this.#reserve);
    this.#reserve = undefined;
  }

  /** For the exit of our process, where nothing asynchronous runs any more. */
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
