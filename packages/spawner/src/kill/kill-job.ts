import { findProcesses, isStillOf, type JobProcesses, type SearchedJob, type SeenProcess } from './job-processes.js';
import { isGroupAlive, signalGroup, signalProcess } from './process-group.js';

/** The group is checked after 5 ms, and then after pauses of 10, 20 … ms. Most groups are gone at the first check. */
const firstLookMs = 5;
const longestLookPauseMs = 100;

/** A search through all processes takes milliseconds, so the pauses between two searches grow: 20, 40, 80 … ms. */
const firstSearchPauseMs = 20;
const longestSearchPauseMs = 500;

/**
 * Milliseconds to wait after SIGKILL. A process that exists after this time hangs in the kernel (a dead network disk), or belongs to
 * another user (sudo). Waiting longer would not help.
 */
const unkillableMs = 5000;

/** If our event loop was blocked for this long, the system may have reused the number of the group. */
const lateMs = 1000;

/** A job that is being killed. */
export interface DyingJob {
  /** The job whose processes must still be killed when our process exits. */
  readonly rest: SearchedJob;
  /**
   * Resolves when no process of the job is left. Never rejects. If a process survives SIGKILL for 5 s, resolves anyway and prints a process
   * warning.
   */
  readonly gone: Promise<void>;
  /** Shortens the rest of the grace period to `graceMs`. Never prolongs it. */
  hurry(graceMs: number): void;
}

/**
 * Ends all processes of a job: SIGTERM now, SIGKILL after the grace period (decision 28). On Linux this includes processes that have left
 * its group. The timers do not keep the event loop alive. If the agent exits first, its exit kills the rest (see `TrackedJobs.killNow`).
 *
 * The system may reuse the number of an empty group. So the group is checked at least every 100 ms, and no other group receives a signal.
 */
export function killJob(job: JobProcesses, graceMs: number): DyingJob {
  const { group, jobId, lane } = job;
  let resolveGone = (): void => {};
  const gone = new Promise<void>((resolve) => {
    resolveGone = resolve;
  });
  let forcedAt = performance.now() + graceMs;
  let isForced = false;
  let lookPauseMs = firstLookMs;
  let searchPauseMs = firstSearchPauseMs;
  // The time of the next search through all processes. It finds processes that left the group, and members that have ended but are not
  // reaped. While the group exists, searches are rare, because each takes milliseconds.
  let searchAt = performance.now() + longestLookPauseMs;
  /** Whether the group has ended. From then on its number may be reused. */
  let isGroupGone = false;
  const terminated = new Set<number>();
  let hasFoundNone = false;
  let lookedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  signalGroup(group, 'SIGTERM');
  // A process that is paused (SIGSTOP) handles SIGTERM only after SIGCONT.
  signalGroup(group, 'SIGCONT');
  schedule();

  function schedule(): void {
    const untilForcedMs = isForced ? longestLookPauseMs : Math.max(0, forcedAt - performance.now());
    timer = setTimeout(() => void look(), Math.min(lookPauseMs, untilForcedMs)).unref();
    lookPauseMs = Math.min(2 * lookPauseMs, longestLookPauseMs);
  }

  async function look(): Promise<void> {
    timer = undefined;
    if (performance.now() - lookedAt > lateMs && !isGroupGone) isGroupGone = await isAnotherGroup();
    const now = performance.now();
    lookedAt = now;
    if (!isForced && now >= forcedAt) {
      isForced = true;
      lookPauseMs = firstLookMs;
      searchPauseMs = firstSearchPauseMs;
      searchAt = now;
    }
    // SIGKILL is repeated at every check, because a process may have joined the group since the last one.
    if (isForced && !isGroupGone) signalGroup(group, 'SIGKILL');
    if (!isGroupGone && !isGroupAlive(group)) {
      isGroupGone = true;
      searchAt = now;
    }
    if (now >= searchAt) {
      searchAt = now + searchPauseMs;
      searchPauseMs = Math.min(2 * searchPauseMs, longestSearchPauseMs);
      const left = await findProcesses({ group: isGroupGone ? undefined : group, jobId, lane });
      if (left === undefined ? isGroupGone : isNone(left)) return resolveGone();
      left?.forEach(signalOne);
    }
    if (isForced && now >= forcedAt + unkillableMs) {
      // On a busy machine, the searches take so long that all processes may be gone by now.
      const left = await findProcesses({ group: isGroupGone ? undefined : group, jobId, lane });
      if (left === undefined ? !isGroupGone : left.length > 0) giveUp(job);
      return resolveGone();
    }
    schedule();
  }

  /**
   * Tests whether no process is left. Two searches in a row must find none. One search may miss a process that starts another one and ends
   * in the meantime, or that is just executing another program.
   */
  function isNone(left: readonly SeenProcess[]): boolean {
    const isSure = hasFoundNone;
    hasFoundNone = left.length === 0;
    return hasFoundNone && isSure;
  }

  /** Tests whether the system has reused the number of the group: no process in it has the id of the job. */
  async function isAnotherGroup(): Promise<boolean> {
    const tagged = await findProcesses({ group: undefined, jobId, lane });
    return tagged !== undefined && !tagged.some((seen) => seen.group === group);
  }

  /** Signals a process that left the group. Sends SIGTERM only once, because many programs end at once on a second SIGTERM. */
  function signalOne(seen: SeenProcess): void {
    const { pid, group: ownGroup } = seen;
    if (!isStillOf(job, seen)) return;
    if (isForced) {
      signalProcess(pid, 'SIGKILL');
    } else if (ownGroup !== group && !terminated.has(pid)) {
      terminated.add(pid);
      signalProcess(pid, 'SIGTERM');
      signalProcess(pid, 'SIGCONT');
    }
  }

  return {
    gone,
    get rest() {
      return { group: isGroupGone ? undefined : group, jobId, lane };
    },
    hurry(graceMs) {
      forcedAt = Math.min(forcedAt, performance.now() + graceMs);
      // If there is no timer, a check is in progress. That check sets the next timer itself.
      if (timer === undefined) return;
      clearTimeout(timer);
      schedule();
    },
  };
}

function giveUp({ group }: JobProcesses): void {
  process.emitWarning(
    `Processes of group ${group} still exist ${unkillableMs} ms after SIGKILL and are left running. To list them, run: ps -eo pgid,pid,user,stat,args | grep "^ *${group} "`,
  );
}
