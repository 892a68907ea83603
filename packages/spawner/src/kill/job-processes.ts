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
 * Milliseconds for reading processes in one turn of the event loop. A maximum number of processes was rejected, because one process may
 * have an environment of a megabyte.
 */
const sliceMs = 2;

/** The maximum number of rounds of one search. Without it, a search would not end on a machine where processes start all the time. */
const mostRounds = 8;

/** The maximum number of attempts while the machine has no free descriptor. Together they take 5 s. */
const mostAttempts = 100;
const attemptPauseMs = 50;

let running: Promise<readonly SeenProcess[] | undefined> | undefined;
let next: Promise<readonly SeenProcess[] | undefined> | undefined;

/**
 * Returns all running processes that are not older than ours. All our descendants are among them. Resolves to undefined if there is no
 * /proc.
 *
 * Processes that have ended but were not reaped by their parent are left out. `kill(-group, 0)` treats them as running, and in a container
 * whose init does not reap they stay forever.
 *
 * A walk through /proc takes milliseconds. Callers that arrive during a walk share the next one, because the current walk may have missed
 * their process.
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

/** Like `listProcesses`, but synchronous, for the exit of our process. */
export function listProcessesNow(): readonly SeenProcess[] | undefined {
  try {
    const seen = readProcesses();
    return seen && [...seen].filter((entry) => entry !== undefined);
  } catch {
    return undefined;
  }
}

/** Repeats a walk that failed because no descriptor was free. Without the repetition, every process would look gone. */
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
  // If /proc does not show our own process, it is not a usable /proc.
  if (pids.length === 0 || ourStart === undefined) return undefined;
  return readEach(pids, Number(ourStart));
}

/**
 * Reads the processes in rounds, until a round finds no new ones. During a round, which takes milliseconds, a process may start another one
 * and end. The new process is not in the list of that round.
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

/** Returns the pids of all processes. Empty without /proc. Throws the errno if the machine is short of a resource. */
function listPids(): number[] {
  try {
    return readdirSync('/proc').filter(isNumber).map(Number);
  } catch (error) {
    if (isTransient(error)) throw error;
    return [];
  }
}

export function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

/** What Linux says about a process in /proc. */
interface ProcStat {
  /** One letter. `Z` and `X`: ended but not reaped. `T`: paused by a signal. */
  readonly state: string;
  readonly group: number;
  /** Clock ticks between boot and the start of the process. A later process with the same pid has another start time. */
  readonly startTime: string;
}

/**
 * Returns the state of a process, or undefined if there is no such process or no /proc. Throws the errno if the state cannot be read
 * because the machine is short of a resource.
 */
export function readProcStat(pid: number): ProcStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    if (isTransient(error)) throw error;
    return undefined;
  }
  return parseProcStat(text);
}

export function parseProcStat(text: string): ProcStat {
  // The second field is the name of the program in parentheses, and may itself contain blanks and parentheses. So the text is split after
  // the last closing parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', group: Number(fields[2]), startTime: fields[19] ?? '' };
}

/** The maximum number of processes that are checked to find a stopped one. */
const mostLookedAt = 100;

/**
 * Tests whether a process or one of its descendants is paused by SIGSTOP or a similar signal. The processes of jobs have no terminal, so
 * another program sent the signal. Returns false without /proc. Called at a deadline, so it does not use `findProcesses`: a search through
 * all processes takes too long on a busy machine.
 */
export function hasStoppedProcess(pid: number): boolean {
  return findHalt(pid) === 'stopped';
}

/** Like `hasStoppedProcess`, but also detects that the process itself has ended and Node has not reported it yet. */
export function findHalt(pid: number): 'stopped' | 'ended' | undefined {
  try {
    const pids = [pid];
    for (let index = 0; index < pids.length && index < mostLookedAt; index += 1) {
      const next = pids[index] as number;
      const state = readProcStat(next)?.state;
      if (state === 'T') return 'stopped';
      if (index === 0 && (state === 'Z' || state === 'X')) return 'ended';
      pids.push(...readChildren(next));
    }
  } catch {
    // No file descriptor is free, so the answer is unknown.
  }
  return undefined;
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
 * What identifies the processes of one job: its process group, and on Linux also its id in their environment. A process that leaves the
 * group keeps the id.
 */
export interface JobProcesses {
  readonly group: number;
  readonly jobId: string;
  /** The lane that runs the job. Parts of the job that execute no program have the environment of the lane. */
  readonly lane?: { readonly pid: number; readonly id: string } | undefined;
}

/** A job whose processes are searched. `group` is undefined once the group is empty, because the system may reuse its number. */
export type SearchedJob = Omit<JobProcesses, 'group'> & { readonly group: number | undefined };

/** Returns the running processes of a job. Resolves to undefined without /proc; then only the group can be checked. */
export async function findProcesses(job: SearchedJob): Promise<readonly SeenProcess[] | undefined> {
  const seen = await listProcesses();
  return seen?.filter((one) => one.group === job.group || hasIdOf(job, one));
}

/** Tests whether a process has the id of the job, or was forked by the lane of the job. */
function hasIdOf({ jobId, lane }: SearchedJob, { pid, jobIds }: Pick<SeenProcess, 'pid' | 'jobIds'>): boolean {
  return jobIds.includes(jobId) || (lane !== undefined && pid !== lane.pid && jobIds.includes(lane.id));
}

/** All running processes of the jobs; synchronous. */
export function findProcessesNow(jobs: readonly SearchedJob[]): readonly number[] {
  const groups = new Set(jobs.map(({ group }) => group));
  const seen = listProcessesNow() ?? [];
  return seen.filter((one) => groups.has(one.group) || jobs.some((job) => hasIdOf(job, one))).map(({ pid }) => pid);
}

/**
 * Tests whether a process still belongs to the job. Call it right before sending a signal, because the pid may have been reused since the
 * search. The number of a group is not reused while the group has members, so a member of the group certainly belongs to the job.
 */
export function isStillOf(job: JobProcesses, { pid, group }: SeenProcess): boolean {
  if (group === job.group) return true;
  try {
    return hasIdOf(job, { pid, jobIds: readJobIds(pid) });
  } catch {
    // The process is gone, or no file descriptor is free to check it. It receives no signal now. If it belongs to this job, the next search
    // finds it again.
    return false;
  }
}
