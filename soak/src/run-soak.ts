import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { findLeftovers } from './checks/find-leftovers.js';
import { findPrivateDirectories, findProcesses, takeResourceSnapshot } from './checks/resource-snapshot.js';
import { Violations } from './checks/violations.js';
import { hookKinds, writeScripts } from './load/hook-kinds/hook-kinds.js';
import { runPhase } from './load/run-phase.js';
import type { SoakOptions } from './options.js';
import { describeMachine, type Figures, figuresOf } from './report/figures.js';
import { startProgress } from './report/report.js';

/**
 * The number of events of well-behaved hooks before the first measurement. Afterwards the code is compiled, and Node has opened everything
 * that it opens once.
 */
const warmUpEvents = 100;

/** Warms up, takes a snapshot of resources, fires events for the given time, and takes another snapshot. */
export async function runSoak(options: SoakOptions, signal: AbortSignal, collectGarbage: () => void): Promise<Figures> {
  const { seed, load, durationMs } = options;
  const machine = describeMachine();
  const violations = new Violations();
  const earlierDirectories = findPrivateDirectories();
  const stopWatching = watchProcess(violations);
  // Every process that a hook starts inherits this variable, so that the processes can be found in any group or session.
  const mark = `TENTERHOOK_SOAK=${process.pid}-${globalThis.crypto.randomUUID()}`;
  process.env['TENTERHOOK_SOAK'] = mark.slice('TENTERHOOK_SOAK='.length);
  const projectDir = mkdtempSync(join(tmpdir(), 'soak-'));
  let stopProgress = () => {};
  try {
    writeScripts(projectDir);
    const common = { seed, load, projectDir, violations, signal };
    const mild = hookKinds.filter((kind) => !kind.isHostile && kind.timeout === 'ample');
    await runPhase({ ...common, kinds: mild, goesOn: (number) => number < warmUpEvents });
    const before = { ...(await takeResourceSnapshot(collectGarbage)), processes: findProcesses(mark).length };

    const loopDelay = monitorEventLoopDelay({ resolution: 10 });
    loopDelay.enable();
    const beganAt = performance.now();
    const phase = await runPhase({
      ...common,
      kinds: hookKinds,
      goesOn: () => performance.now() - beganAt < durationMs,
      onStart: (started) => {
        stopProgress = startProgress(started, violations);
      },
    });
    const elapsedMs = performance.now() - beganAt;
    stopProgress();
    loopDelay.disable();
    const after = await findLeftovers({ mark, before, earlierDirectories, collectGarbage, violations });
    const course = { machine, options, phase, elapsedMs, loopDelay, before, after, violations };
    return figuresOf({ ...course, isInterrupted: signal.aborted });
  } finally {
    stopProgress();
    stopWatching();
    rmSync(projectDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Reports any uncaught error and any warning of Node as a violation. */
function watchProcess(violations: Violations): () => void {
  const rejected = (reason: unknown) => violations.add({ what: `an unhandled rejection: ${describe(reason)}` });
  const thrown = (error: unknown) => violations.add({ what: `an uncaught exception: ${describe(error)}` });
  const warned = (warning: Error) => violations.add({ what: `a warning of Node: ${warning.name}: ${warning.message}` });
  process.on('unhandledRejection', rejected);
  process.on('uncaughtException', thrown);
  process.on('warning', warned);
  return () => {
    process.off('unhandledRejection', rejected);
    process.off('uncaughtException', thrown);
    process.off('warning', warned);
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
