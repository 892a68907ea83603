import { closeSync, openSync } from 'node:fs';
import { onStop, type StopSignal } from '../job.js';
import { findProcesses, findProcessesNow, type JobProcesses, type SearchedJob } from './job-processes.js';
import { type DyingJob, killJob } from './kill-job.js';
import { isGroupAlive, signalGroup, signalProcess } from './process-group.js';

/**
 * The number of rounds of killing when our process exits. A process that was forked while its parent was killed is found in the next round.
 */
const exitRounds = 5;

/**
 * The longest time for counting processes, in milliseconds. A walk through /proc usually takes less. With thousands of processes it takes
 * longer, and the answer of the hook must not wait for it (decision 29).
 */
const longestCountMs = 100;

/** The limits for counting the processes that a job left running. */
export interface CountOptions {
  /** Whether a process still holds the output of the job. It may have left the group. */
  readonly isOutputHeld: boolean;
  readonly deadlineAt: number;
  readonly signal: StopSignal;
}

/** The jobs whose processes a spawner is responsible for: running jobs, and jobs that are being killed. */
export class TrackedJobs {
  readonly #running = new Set<JobProcesses>();
  readonly #dying = new Map<JobProcesses, DyingJob>();
  /** A descriptor that is reserved for the search when our process exits, in case no other is free then. */
  #reserve: number | undefined;

  get dying(): number {
    return this.#dying.size;
  }

  add(job: JobProcesses): void {
    this.#running.add(job);
    this.#reserve ??= openReserve();
  }

  /** Called when a job ended normally. Processes that it left running are not killed (decision 29). */
  release(job: JobProcesses): void {
    this.#running.delete(job);
  }

  /**
   * The number of processes of the job that run now. If they cannot be counted, or not in time, the result is 1, which means "at least
   * one". If the group is empty and the output has ended, the result is 0 without a search.
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

  /** Kills a job. Resolves when no process of it is left. Callers need not wait, because the job stays tracked until then. */
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

  /** Resolves when no job is being killed any more. The grace period of each is shortened to `graceMs` from now. */
  async hurry(graceMs: number): Promise<void> {
    for (const dying of this.#dying.values()) dying.hurry(graceMs);
    await Promise.all([...this.#dying.values()].map((dying) => dying.gone));
  }

  /** Shortens the grace period of the oldest dying job to `graceMs`, because others wait for its slot. */
  hurryOldest(graceMs: number): void {
    const [oldest] = this.#dying.values();
    oldest?.hurry(graceMs);
  }

  /** Closes the reserved descriptor, after the last job. */
  close(): void {
    if (this.#reserve !== undefined) closeSync(this.#reserve);
    this.#reserve = undefined;
  }

  /** Kills all processes when our process exits. Synchronous, because nothing asynchronous runs then. */
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
