import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { isTransient } from '../run/spawn-process.js';
import { readJobIds } from './job-ids.js';

/** A running process that may belong to a job. */
export interface SeenProcess {
  readonly pid: number;
  readonly group: number;
  readonly jobIds: readonly string[];
}

/**
 * Milliseconds for reading processes in one turn of the event loop. A limit of processes was rejected, because the environment of a single
 * process may have a megabyte.
 */
const sliceMs = 2;

/** The maximum number of rounds of one search, so that it also ends on a machine where processes start all the time. */
const mostRounds = 8;

/** The maximum number of attempts while the machine has no free descriptor. Together they take 5 s. */
const mostAttempts = 100;
const attemptPauseMs = 50;

let running: Promise<readonly SeenProcess[] | undefined> | undefined;
let next: Promise<readonly SeenProcess[] | undefined> | undefined;

/**
 * All running processes that are not older than ours, and so all descendants of ours. Processes that have ended but are not reaped by their
 * parent are left out. `kill(-group, 0)` succeeds for these as if they still ran, and in a container whose init does not reap they stay
 * forever. Undefined if there is no /proc.
 *
 * A walk through /proc takes milliseconds. Callers that arrive during a walk all wait for the next one, because the current walk may have
 * missed their process.
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

/** The same, synchronously, for the exit of our process, during which nothing asynchronous runs. */
export function listProcessesNow(): readonly SeenProcess[] | undefined {
  try {
    const seen = readProcesses();
    return seen && [...seen].filter((entry) => entry !== undefined);
  } catch {
    return undefined;
  }
}

/** Repeats a walk that failed because no descriptor was free. Otherwise every process would look gone. */
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

/** One entry per process; undefined for a process that is left out. */
function readProcesses(): Iterable<SeenProcess | undefined> | undefined {
  if (process.platform !== 'linux') return undefined;
  const pids = listPids();
  const ourStart = readProcStat(process.pid)?.startTime;
  // If /proc does not show our own process, it is not a real /proc, or it hides processes.
  if (pids.length === 0 || ourStart === undefined) return undefined;
  return readEach(pids, Number(ourStart));
}

/**
 * Reads the processes in rounds. While it reads, which takes milliseconds, a process may start another one and end, and the new process is
 * not in the list. So each further round reads the processes that are new, until there are none.
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

/** Returns the ids of all processes. Empty without /proc. Throws the errno if the machine is short of a resource. */
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
  /** One letter. `Z` and `X` are processes that have ended but are not reaped, `T` those that a signal has stopped. */
  readonly state: string;
  readonly group: number;
  /** Clock ticks between boot and the start of the process. Distinguishes the process from a later one with the same pid. */
  readonly startTime: string;
}

/**
 * Returns the state of a process. Undefined if there is no such process, or no /proc. Throws the errno if the machine is short of a
 * resource, because the state is then unknown.
 */
export function readProcStat(pid: number): ProcStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    if (isTransient(error)) throw error;
    return undefined;
  }
  // The second field is the name of the program in parentheses. The name may itself contain blanks and parentheses, so the other fields
  // begin after the last closing parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', group: Number(fields[2]), startTime: fields[19] ?? '' };
}

/** The maximum number of processes that are checked to find a stopped one. */
const mostLookedAt = 100;

/**
 * Whether a process or one of its descendants is stopped now, by SIGSTOP or a similar signal. Processes of jobs have no terminal, so
 * another program has sent the signal. False without /proc. Searching all processes with `findProcesses` was rejected: this function is
 * called at a deadline, and on a busy machine such a search takes too long.
 */
export function hasStoppedProcess(pid: number): boolean {
  try {
    const pids = [pid];
    for (let index = 0; index < pids.length && index < mostLookedAt; index += 1) {
      const next = pids[index] as number;
      if (readProcStat(next)?.state === 'T') return true;
      pids.push(...readChildren(next));
    }
  } catch {
    // No file descriptor is free, so the answer is unknown.
  }
  return false;
}

function readChildren(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(isNumber).map(Number);
  } catch (error) {
    if (isTransient(error)) throw error;
    return [];
  }
}

/**
 * What identifies the processes of one job: its process group, and on Linux its id in their environment, which they keep when they leave
 * the group.
 */
export interface JobProcesses {
  readonly group: number;
  readonly jobId: string;
}

/** A job whose processes are searched. `group` is undefined once the group is empty, because the system may then reuse its number. */
export type SearchedJob = { readonly group: number | undefined; readonly jobId: string };

/** Returns the processes of a job that run now. Undefined if only the group can be checked (no /proc). */
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

/**
 * Whether a process still belongs to the job. Must be called right before a signal is sent: a search takes time, and the pid may have been
 * reused since. A process that is in the group of the job is certain to belong to it, because the number of a group is not reused while it
 * has members.
 */
export function isStillOf(job: JobProcesses, { pid, group }: SeenProcess): boolean {
  if (group === job.group) return true;
  try {
    return readJobIds(pid).includes(job.jobId);
  } catch {
    // The process is gone, or no file descriptor is free to check it. It receives no signal now; if it belongs to this job, the next search
    // finds it again.
    return false;
  }
}
