import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isTransient } from '../run/spawn-process.js';
import { readJobIds } from './job-ids.js';

/** A process that runs and may belong to a job. */
export interface SeenProcess {
  readonly pid: number;
  readonly group: number;
  readonly jobIds: readonly string[];
}

/** The time for reading processes in one turn of the event loop. Not a number of processes: the environment of one may be a megabyte. */
const sliceMs = 2;

/** A search must also end on a machine where processes start all the time. */
const mostRounds = 8;

/** 5 s in all, for a machine that is out of descriptors. */
const mostAttempts = 100;
const attemptPauseMs = 50;

let running: Promise<readonly SeenProcess[] | undefined> | undefined;
let next: Promise<readonly SeenProcess[] | undefined> | undefined;

/**
 * Every running process that is no older than ours, and so every descendant of ours. Processes that have ended but are never reaped, as under a
 * container's init that does not wait for them, are left out: `kill(-group, 0)` succeeds for them forever. Undefined if unknown (no /proc).
 *
 * A walk through /proc costs milliseconds, so all callers during a walk share the next one: the current walk may already have passed their
 * process.
 */
export function listProcesses(): Promise<readonly SeenProcess[] | undefined> {
  if (running === undefined) {
    running = walkUntilReadable().finally(() => {
      running = undefined;
    });
    return running;
  }
  next ??= running.then(() => {
    next = undefined;
    return listProcesses();
  });
  return next;
}

/** The same, synchronous: for the exit of our process, where nothing asynchronous runs any more. */
export function listProcessesNow(): readonly SeenProcess[] | undefined {
  try {
    const seen = readProcesses();
    return seen && [...seen].filter((entry) => entry !== undefined);
  } catch {
    return undefined;
  }
}

/** Without a free descriptor every process would look gone, so a failed walk is repeated. */
async function walkUntilReadable(): Promise<readonly SeenProcess[] | undefined> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    try {
      return await walk();
    } catch {
      await pause(attemptPauseMs, undefined, { ref: false });
    }
  }
  return undefined;
}

async function walk(): Promise<readonly SeenProcess[] | undefined> {
  const entries = readProcesses();
  if (entries === undefined) return undefined;
  const found: SeenProcess[] = [];
  let restAt = performance.now() + sliceMs;
  for (const seen of entries) {
    if (seen !== undefined) found.push(seen);
    if (performance.now() < restAt) continue;
    await nextTurn();
    restAt = performance.now() + sliceMs;
  }
  return found;
}

/** One entry per process, undefined for those that do not count. */
function readProcesses(): Iterable<SeenProcess | undefined> | undefined {
  if (process.platform !== 'linux') return undefined;
  const pids = listPids();
  const ourStart = readProcStat(process.pid)?.startTime;
  // A /proc that does not show our own process is not the real one, or hides processes.
  if (pids.length === 0 || ourStart === undefined) return undefined;
  return readEach(pids, Number(ourStart));
}

/**
 * Reading takes milliseconds. Meanwhile a process may start another one and end: the new one is not in the list, and its parent can no longer be
 * read. So new processes are read too, until no more appear.
 */
function* readEach(listed: readonly number[], ourStart: number): Generator<SeenProcess | undefined> {
  const known = new Set([process.pid]);
  let pids = listed.filter((pid) => !known.has(pid));
  for (let round = 0; round < mostRounds && pids.length > 0; round += 1) {
    for (const pid of pids) {
      known.add(pid);
      const stat = readProcStat(pid);
      const counts = stat !== undefined && stat.state !== 'Z' && stat.state !== 'X' && Number(stat.startTime) >= ourStart;
      yield counts ? { pid, group: stat.group, jobIds: readJobIds(pid) } : undefined;
    }
    pids = listPids().filter((pid) => !known.has(pid));
  }
}

/** Empty without /proc. Throws the errno if the machine is short of a resource. */
function listPids(): number[] {
  try {
    return readdirSync('/proc').filter(isNumber).map(Number);
  } catch (error) {
    if (isTransient(error)) throw error;
    return [];
  }
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

/** What Linux says about a process in /proc. */
interface ProcStat {
  /** One letter. `Z` and `X` are processes that have ended but are not reaped. */
  readonly state: string;
  readonly group: number;
  /** Clock ticks after boot. Distinguishes a process from a later one with the same number. */
  readonly startTime: string;
}

/** Undefined if there is no such process, or no /proc. Throws the errno if the machine is short of a resource: then nothing is known. */
export function readProcStat(pid: number): ProcStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    if (isTransient(error)) throw error;
    return undefined;
  }
  // The second field is the name in parentheses. It may contain blanks and parentheses, so the fields are split after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', group: Number(fields[2]), startTime: fields[19] ?? '' };
}

/** What identifies the processes of one job: its group, and on Linux a tag that processes keep when they leave the group. */
export interface JobProcesses {
  readonly group: number;
  readonly jobId: string;
}

/** `group` is undefined once the group is empty: its number may then be reused. */
export type SearchedJob = { readonly group: number | undefined; readonly jobId: string };

/** The processes of a job that run now. Undefined if only the group can be checked (no /proc). */
export async function findProcesses(job: SearchedJob): Promise<readonly SeenProcess[] | undefined> {
  const seen = await listProcesses();
  return seen?.filter(({ group, jobIds }) => group === job.group || jobIds.includes(job.jobId));
}

/** All running processes of the jobs; synchronous. */
export function findProcessesNow(jobs: readonly SearchedJob[]): readonly number[] {
  const groups = new Set(jobs.map(({ group }) => group));
  const ids = new Set(jobs.map(({ jobId }) => jobId));
  const seen = listProcessesNow() ?? [];
  return seen.filter(({ group, jobIds }) => groups.has(group) || jobIds.some((id) => ids.has(id))).map(({ pid }) => pid);
}

/** Checked right before a signal: a search takes time, and the number may have been reused since. Members of the group prevent its reuse. */
export function isStillOf(job: JobProcesses, { pid, group }: SeenProcess): boolean {
  if (group === job.group) return true;
  try {
    return readJobIds(pid).includes(job.jobId);
  } catch {
    // No file descriptor is free, or the process is gone. It gets no signal now: the next search finds it again if it is of this job.
    return false;
  }
}
