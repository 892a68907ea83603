import { readFileSync } from 'node:fs';
import { onStop, type StopSignal } from '../job.js';
import { readProcStat } from '../kill/job-processes.js';
import { signalProcess } from '../kill/process-group.js';
import type { SetupFile } from './setup-file.js';

/**
 * Milliseconds until the process of a job is looked up. Most jobs have ended by then, and the end names the process. The pauses between
 * further looks grow up to `longestPauseMs`.
 */
const firstPauseMs = 20;
const longestPauseMs = 160;

/** The pause after the first look for a job that is stopped, in milliseconds. */
const leastPauseMs = 1;

/** A lane is killed if a stopped job has neither begun nor ended after this time in milliseconds, for example because the lane is paused. */
const longestStopMs = 50;

/** A lane is killed if it does not report within this time, in milliseconds, that a command which has begun has ended. */
const longestReportMs = 2000;

/** A killed process is expected to end within this time, in milliseconds. One that waits for a device ends later, and runs no command. */
const longestEndMs = 100;

interface WatchedLane {
  readonly pid: number;
  kill(): void;
}

interface WatchedJob {
  readonly setup: SetupFile;
  /** The maximum number of milliseconds until the command must have begun. */
  readonly longestMs: number;
  readonly signal: StopSignal;
}

/**
 * Looks up the process of a job in a lane, which is the only child of the lane, once its command has begun. A report of the start was
 * rejected: our process would wake up for it, which takes longer than the rest of a short job.
 *
 * If the command has not begun after `longestMs`, locks it, and kills the lane. If the job is stopped, locks its command, and waits shortly
 * for one that had read its setup before.
 */
export class StartWatch {
  /** The process, or undefined if the lane was killed before the command has begun. Stays pending if the lane reports the end first. */
  readonly found: Promise<number | undefined>;
  readonly #lane: WatchedLane;
  readonly #setup: SetupFile;
  readonly #forgetSignal: () => void;
  #killAt: number;
  #pauseMs = firstPauseMs;
  #isStopped = false;
  /** Whether the lane was killed before the command has begun. */
  #isDeciding = false;
  #killedPid: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #resolve = (_: number | undefined): void => {};

  constructor(lane: WatchedLane, { setup, longestMs, signal }: WatchedJob) {
    this.#lane = lane;
    this.#setup = setup;
    this.#killAt = performance.now() + longestMs;
    this.found = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#lookLater(firstPauseMs);
    this.#forgetSignal = onStop(signal, () => this.#onStop());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#forgetSignal();
  }

  /**
   * Call it when the lane has ended without a report. Resolves like `found` if this watch has killed the lane before the command began.
   * Otherwise the command may have begun: resolves to `unknown`.
   */
  async afterLoss(): Promise<number | undefined | 'unknown'> {
    if (!this.#isDeciding) return 'unknown';
    if (this.#killedPid === undefined) this.#resolve(undefined);
    return this.found;
  }

  #onStop(): void {
    if (this.#isDeciding) return;
    clearTimeout(this.#timer);
    this.#setup.lock();
    this.#isStopped = true;
    this.#killAt = performance.now() + longestStopMs;
    this.#pauseMs = leastPauseMs;
    this.#look();
  }

  #look(): void {
    const now = performance.now();
    const isLate = now >= this.#killAt;
    // A process that had read its setup before the lock is a child of the lane now. A later one kills itself.
    if (isLate) this.#setup.lock();
    const { hasBegun } = this.#setup;
    const [pid] = listChildren(this.#lane.pid) ?? [];
    if (hasBegun && pid !== undefined) {
      this.#resolve(pid);
      return;
    }
    // A command that has begun without a process has ended: the report is on its way. If the lane were killed now, the report would be lost.
    if (isLate && (!hasBegun || now >= this.#killAt + longestReportMs)) {
      if (pid !== undefined) signalProcess(pid, 'SIGKILL');
      this.#lane.kill();
      if (!hasBegun) {
        this.#isDeciding = true;
        this.#killedPid = pid;
        // A lane that has not forked may report that it has not even read the job.
        if (pid !== undefined || this.#isStopped) this.#settleWhenEnded(pid, performance.now() + longestEndMs);
        return;
      }
    }
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    this.#lookLater(this.#pauseMs);
  }

  #lookLater(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), ms).unref();
  }

  #settleWhenEnded(pid: number | undefined, until: number): void {
    if (pid === undefined || hasEnded(pid) || performance.now() >= until) this.#resolve(this.#setup.hasBegun ? pid : undefined);
    else this.#timer = setTimeout(() => this.#settleWhenEnded(pid, until), leastPauseMs).unref();
  }
}

/** Returns the children of a process, the oldest first. Undefined if the system does not list them, or if the process is gone. */
export function listChildren(pid: number): readonly number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return undefined;
  }
}

function hasEnded(pid: number): boolean {
  try {
    const state = readProcStat(pid)?.state;
    return state === undefined || state === 'Z' || state === 'X';
  } catch {
    // No descriptor is free to read the state.
    return false;
  }
}
