import { randomInt } from 'node:crypto';
import type { ResidentNote, StopSignal } from '../job.js';
import { Deadline } from '../run/deadline.js';
import { describeFailure, findInvalidInput, findMissingDirectory, findTooNested, missingShell } from '../run/failure.js';
import { notify, toProgram } from '../run/run-job.js';
import { type JobResources, mayStart, startRefused } from '../run/start.js';
import { Backoff } from './backoff.js';
import { exitOf } from './resident-exit.js';
import type { ResidentExit, ResidentJob } from './resident-job.js';
import type { ResidentProcess } from './resident-process.js';
import { startResident } from './start-resident.js';
import { Turns } from './turns.js';

/** Why a job must have a process of its own. */
export interface Cold {
  readonly kind: 'cold';
  readonly reason: string;
}

/** A process, and the job that started it. */
interface Started {
  readonly process: ResidentProcess;
  readonly job: ResidentJob;
}

/** What is known about one key. */
interface Entry {
  readonly backoff: Backoff;
  readonly turns: Turns;
  started: Started | undefined;
  usedAt: number;
  /** The process is ended after its job, because its key is no longer needed. */
  isRetiring: boolean;
}

/** The maximum number of processes that stay alive. */
const mostProcesses = 32;

/** Milliseconds that a job waits for a busy process. Most answers take less. A longer wait could exceed the patience of the agent. */
const longestWaitMs = 50;

/** The maximum number of characters of an input. A longer one is passed as a file, because the inputs of many jobs would fill our memory. */
const mostInput = 4_194_304;

/** Milliseconds after which an idle process is ended, and milliseconds between two searches for such processes. */
const idleMs = 600_000;
const sweepMs = 60_000;

/** The largest id plus one. `randomInt` has no larger range. */
const ids = 2 ** 48 - 1;

/** The resident processes of a spawner. */
export class ResidentPool {
  readonly #resources: JobResources;
  readonly #now: (() => number) | undefined;
  /** The entry that was used last comes last. */
  readonly #entries = new Map<string, Entry>();
  readonly #alive = new Set<ResidentProcess>();
  readonly #ending = new Map<ResidentProcess, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  /** `now` is the clock of the pauses between starts. */
  constructor(resources: JobResources, now?: () => number) {
    this.#resources = resources;
    this.#now = now;
  }

  get size(): number {
    return this.#alive.size;
  }

  /** Runs a job. Resolves to `cold` if the job must have a process of its own; then `onStart` was not called. */
  async run(job: ResidentJob, signal: StopSignal): Promise<ResidentExit | Cold> {
    const input = lineOf(job.stdin);
    if (input === undefined) return cold('its input is not JSON');
    if (input.length > mostInput) return cold(`its input has more than ${mostInput} characters`);
    const refusal = findInvalidInput(job) ?? findTooNested() ?? findMissingDirectory(job.cwd);
    if (refusal !== undefined) return refusal;
    const entry = this.#entryOf(job.key);
    if (!(await entry.turns.take(Math.min(longestWaitMs, job.timeoutMs), signal))) {
      return signal.aborted ? { kind: 'not-started', reason: signal.reason, durationMs: 0 } : cold('its resident process is busy');
    }
    try {
      return await this.#answer(entry, job, input, signal);
    } finally {
      entry.usedAt = performance.now();
      entry.turns.leave();
      if (entry.isRetiring && entry.turns.isFree) this.#forget(job.key, entry);
    }
  }

  retain(isKept: (key: string, version: string) => boolean): void {
    for (const [key, entry] of this.#entries) {
      if (entry.started !== undefined && isKept(key, entry.started.job.version)) continue;
      if (entry.turns.isFree) this.#forget(key, entry);
      else entry.isRetiring = true;
    }
  }

  /** Ends all processes. Resolves when they are gone. */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#timer);
    for (const process of this.#ending.keys()) void process.kill(graceMs);
    for (const [key, entry] of this.#entries) this.#forget(key, entry, graceMs);
    await Promise.all(this.#ending.values());
  }

  async #answer(entry: Entry, job: ResidentJob, input: string, signal: StopSignal): Promise<ResidentExit | Cold> {
    const startedAt = performance.now();
    const notes: ResidentNote[] = [];
    if (this.#findUsable(entry, job, notes) !== undefined && !mayStart(job)) {
      this.#end(entry);
      return { kind: 'not-started', reason: 'refused', durationMs: 0 };
    }
    // The check of the caller may have taken note of a changed file.
    const usable = this.#findUntouched(entry);
    const process = usable ?? (await this.#start(entry, job, signal));
    if ('kind' in process) return process;
    notify('onStart', () => job.onStart?.({ pid: process.pid }));
    const deadline = new Deadline(startedAt + job.timeoutMs);
    const reply = await process.ask({ id: randomInt(1, ids), input, deadline, signal });
    if (reply.kind === 'answered') entry.backoff.answered();
    else entry.started = undefined;
    if (!['answered', 'cancelled', 'disposed'].includes(reply.kind)) entry.backoff.died();
    return exitOf(reply, { pid: process.pid, durationMs: performance.now() - startedAt, unread: process.takeUnread(), notes });
  }

  /** Returns the process if it can answer this job. Otherwise ends it. */
  #findUsable(entry: Entry, job: ResidentJob, notes: ResidentNote[]): ResidentProcess | undefined {
    if (entry.started === undefined) return undefined;
    const { process, job: first } = entry.started;
    const { problem } = process;
    if (problem !== undefined) {
      notes.push({ kind: 'restarted', message: problem });
      entry.backoff.died();
    } else if (isSameStart(first, job)) return process;
    this.#end(entry);
    return undefined;
  }

  #findUntouched(entry: Entry): ResidentProcess | undefined {
    if (entry.started === undefined) return undefined;
    const { process, job } = entry.started;
    if (!isTouched(job)) return process;
    this.#end(entry);
    return undefined;
  }

  async #start(entry: Entry, job: ResidentJob, signal: StopSignal): Promise<ResidentProcess | ResidentExit | Cold> {
    const { leftMs, deaths } = entry.backoff;
    if (leftMs > 0) {
      return cold(`its resident process failed ${deaths} times in a row, and is started again in ${Math.ceil(leftMs / 1000)} s`);
    }
    if (!this.#makeRoom()) return cold(`${mostProcesses} resident processes are busy`);
    const program = toProgram(job.command);
    if (program === undefined) return missingShell();
    let process: ResidentProcess | undefined;
    const onGone = (): void => {
      if (process !== undefined) this.#alive.delete(process);
    };
    const start = await startResident(job, program, signal, this.#resources, onGone);
    if ('error' in start) {
      if (signal.aborted) return { kind: 'not-started', reason: signal.reason, durationMs: 0 };
      if (start.error === startRefused) return { kind: 'not-started', reason: 'refused', durationMs: 0 };
      return describeFailure(job, start.error, program.file);
    }
    process = start.started;
    this.#alive.add(process);
    // The caller may change its environment before the next job.
    entry.started = { process, job: Object.isFrozen(job.env) ? job : { ...job, env: { ...job.env } } };
    this.#timer ??= setInterval(() => this.#endIdle(), sweepMs).unref();
    return process;
  }

  #entryOf(key: string): Entry {
    const known = this.#entries.get(key);
    const entry = known ?? { backoff: new Backoff(this.#now), turns: new Turns(), started: undefined, usedAt: 0, isRetiring: false };
    if (known !== undefined) this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.isRetiring = false;
    return entry;
  }

  /** Ends the process that was not used for the longest time, if there are too many. Returns false if all are busy. */
  #makeRoom(): boolean {
    if (this.#alive.size < mostProcesses) return true;
    for (const entry of this.#entries.values()) {
      if (!entry.turns.isFree || entry.started === undefined) continue;
      this.#end(entry);
      return true;
    }
    return false;
  }

  #endIdle(): void {
    const before = performance.now() - idleMs;
    for (const [key, entry] of this.#entries) if (entry.turns.isFree && entry.usedAt < before) this.#forget(key, entry);
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #forget(key: string, entry: Entry, graceMs?: number): void {
    this.#end(entry, graceMs);
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }

  #end(entry: Entry, graceMs = this.#resources.limits.killGraceMs): void {
    const process = entry.started?.process;
    entry.started = undefined;
    if (process === undefined) return;
    this.#alive.delete(process);
    const ended = process.end(graceMs).then(() => {
      this.#ending.delete(process);
    });
    this.#ending.set(process, ended);
  }
}

function cold(reason: string): Cold {
  return { kind: 'cold', reason };
}

/** Returns the input as one line. Undefined if it is not JSON. */
function lineOf(text: string): string | undefined {
  const trimmed = text.trim();
  // Callers write the input with JSON.stringify. Parsing it again would take longer than the rest of the job.
  if (/^\{.*\}$/.test(trimmed)) return trimmed;
  try {
    return JSON.stringify(JSON.parse(trimmed));
  } catch {
    return undefined;
  }
}

function isTouched(job: ResidentJob): boolean {
  try {
    return job.isTouched?.() === true;
  } catch {
    return true;
  }
}

function isSameStart(first: ResidentJob, job: ResidentJob): boolean {
  return (
    first.version === job.version &&
    first.cwd === job.cwd &&
    JSON.stringify(first.command) === JSON.stringify(job.command) &&
    isSameEnvironment(first.env, job.env)
  );
}

function isSameEnvironment(first: ResidentJob['env'], env: ResidentJob['env']): boolean {
  if (first === env) return true;
  const names = Object.keys(env);
  return names.length === Object.keys(first).length && names.every((name) => first[name] === env[name]);
}
