import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readJobIds } from './job-marker.js';
import { readProcStat } from './proc-stat.js';

/** A process that runs and may belong to a job. */
export interface SeenProcess {
  readonly pid: number;
  readonly group: number;
  readonly jobIds: readonly string[];
}

/** How many processes are looked at in one turn of the event loop: about a millisecond. */
const slice = 32;

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
    running = walk().finally(() => {
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
  const looks = lookAtEach();
  return looks && [...looks].filter((seen) => seen !== undefined);
}

async function walk(): Promise<readonly SeenProcess[] | undefined> {
  const looks = lookAtEach();
  if (looks === undefined) return undefined;
  const found: SeenProcess[] = [];
  let looked = 0;
  for (const seen of looks) {
    if (seen !== undefined) found.push(seen);
    looked += 1;
    if (looked % slice === 0) await nextTurn();
  }
  return found;
}

/** One entry a process, undefined for those that do not count. */
function lookAtEach(): Iterable<SeenProcess | undefined> | undefined {
  if (process.platform !== 'linux') return undefined;
  let pids: number[];
  try {
    pids = readdirSync('/proc').filter(isNumber).map(Number);
  } catch {
    return undefined;
  }
  const ourStart = readProcStat(process.pid)?.startTime;
  // A /proc that does not even show us is not the real one, or hides what it has.
  if (ourStart === undefined) return undefined;
  return see(pids, Number(ourStart));
}

function* see(pids: readonly number[], ourStart: number): Generator<SeenProcess | undefined> {
  for (const pid of pids) {
    const stat = pid === process.pid ? undefined : readProcStat(pid);
    const counts = stat !== undefined && stat.state !== 'Z' && stat.state !== 'X' && Number(stat.startTime) >= ourStart;
    yield counts ? { pid, group: stat.group, jobIds: readJobIds(pid) } : undefined;
  }
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}
