import { countGroup, isGroupAlive, signalGroup } from './process-group.js';

/** Looks at 5, 10, 20 … ms: most groups are gone within the first, the others are in no hurry. */
const firstLookMs = 5;
const longestPauseMs = 100;

/** Between two walks through /proc, which cost milliseconds. */
const countPauseMs = 500;

/** After SIGKILL a process ends, or hangs in the kernel (a dead network disk), or is not ours to kill (sudo): waiting longer helps nobody. */
const unkillableMs = 5000;

/** A group on its way out. */
export interface DyingGroup {
  /** Resolves when nobody of the group is left; never rejects. After 5 s of SIGKILL in vain it resolves too, with a warning of the process. */
  readonly gone: Promise<void>;
  /** Shortens what is left of the grace; never prolongs it. */
  hurry(graceMs: number): void;
}

/**
 * Ends a whole group: SIGTERM now, SIGKILL after the grace (decision 28). Its timers do not hold the event loop open:
 * when the agent has nothing else to do, its exit kills what is left (see `TrackedGroups.killNow`).
 *
 * Numbers of groups are used again only when nobody is left, and looks are at most 100 ms apart, so that a stranger is not met.
 */
export function killGroup(group: number, graceMs: number): DyingGroup {
  let resolveGone = (): void => {};
  const gone = new Promise<void>((resolve) => {
    resolveGone = resolve;
  });
  let forcedAt = performance.now() + graceMs;
  let isForced = false;
  let pauseMs = firstLookMs;
  let countAt = performance.now() + longestPauseMs;
  let timer: NodeJS.Timeout | undefined;

  signalGroup(group, 'SIGTERM');
  // A stopped process sees SIGTERM only when it goes on.
  signalGroup(group, 'SIGCONT');
  schedule();

  function schedule(): void {
    const untilForcedMs = isForced ? longestPauseMs : Math.max(0, forcedAt - performance.now());
    timer = setTimeout(() => void look(), Math.min(pauseMs, untilForcedMs)).unref();
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }

  async function look(): Promise<void> {
    timer = undefined;
    if (!isGroupAlive(group)) return resolveGone();
    const now = performance.now();
    if (!isForced && now >= forcedAt) {
      isForced = true;
      pauseMs = firstLookMs;
      countAt = now + 4 * firstLookMs;
    }
    // Again at every look: it costs nothing, and a process may have joined the group since.
    if (isForced) signalGroup(group, 'SIGKILL');
    if (now >= countAt) {
      countAt = now + countPauseMs;
      if ((await countGroup(group)) === 0) return resolveGone();
    }
    if (isForced && now >= forcedAt + unkillableMs) {
      process.emitWarning(
        `Process group ${group} is still there ${unkillableMs} ms after SIGKILL; giving up. Its processes: ps -eo pgid,pid,user,stat,args | grep "^ *${group} "`,
      );
      return resolveGone();
    }
    schedule();
  }

  return {
    gone,
    hurry(graceMs) {
      forcedAt = Math.min(forcedAt, performance.now() + graceMs);
      // Without a timer a look is under way, and schedules by itself.
      if (timer === undefined) return;
      clearTimeout(timer);
      schedule();
    },
  };
}
