import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { readJobIds } from './job-env-tag.js';
import { readProcStat } from '../proc-stat.js';
import { isTransient } from '../retry-transient.js';

/** A process that runs and may belong to a job. */
export interface SeenProcess {
  readonly pid: number;
  readonly group: number;
  readonly jobIds: readonly string[];
}

/** So long processes are looked at in one turn of the event loop. Not so many: the environment of one may be a megabyte. */
const sliceMs = 2;

/** A machine on which processes start all the time must not be looked at for ever. */
const mostRounds = 8;

/** 5 s in all, for a machine that is out of descriptors. */
const mostAttempts = 100;
const attemptPauseMs = 50;

let running: Promise<readonly SeenProcess[] | undefined> | undefined;
let next: Promise<readonly SeenProcess[] | undefined> | undefined;

/**
 * Every process that runs and is no older than ours, so also every descendant of ours. Those that have ended and that nobody reaps, as below a
 * container's init that does not care, are left out; they answer `kill(-group, 0)` for ever. Undefined where it cannot be known (no /proc).
 *
 * A walk through /proc costs milliseconds, so all who ask while one is under way share the one that follows: what has begun already may have
 * passed by the place where their process now is.
 */
export function takeCensus(): Promise<readonly SeenProcess[] | undefined> {
  if (running === undefined) {
    running = walkUntilReadable().finally(() => {
      running = undefined;
    });
    return running;
  }
  next ??= running.then(() => {
    next = undefined;
    return takeCensus();
  });
  return next;
}

/** The same at once, for the exit of our process, where nothing asynchronous happens any more. */
export function takeCensusNow(): readonly SeenProcess[] | undefined {
  try {
    const looks = lookAtEach();
    return looks && [...looks].filter((seen) => seen !== undefined);
  } catch {
    return undefined;
  }
}

/** Without a free descriptor every process would look gone. */
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
  const looks = lookAtEach();
  if (looks === undefined) return undefined;
  const found: SeenProcess[] = [];
  let restAt = performance.now() + sliceMs;
  for (const seen of looks) {
    if (seen !== undefined) found.push(seen);
    if (performance.now() < restAt) continue;
    await nextTurn();
    restAt = performance.now() + sliceMs;
  }
  return found;
}

/** One entry a process, undefined for those that do not count. */
function lookAtEach(): Iterable<SeenProcess | undefined> | undefined {
  if (process.platform !== 'linux') return undefined;
  const pids = listPids();
  const ourStart = readProcStat(process.pid)?.startTime;
  // A /proc that does not even show us is not the real one, or hides what it has.
  if (pids.length === 0 || ourStart === undefined) return undefined;
  return see(pids, Number(ourStart));
}

/**
 * Reading takes milliseconds, in which a process may start another and end: then that one is in no list yet, and it is too late to read of
 * its parent. So what is new is looked at as well, until nothing is.
 */
function* see(listed: readonly number[], ourStart: number): Generator<SeenProcess | undefined> {
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

/** None where there is no /proc. Throws the errno of what the machine is short of. */
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
