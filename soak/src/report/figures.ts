import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { heapToleranceBytes, type Leftovers } from '../checks/find-leftovers.js';
import type { ResourceSnapshot } from '../checks/resource-snapshot.js';
import type { Violation, Violations } from '../checks/violations.js';
import { hookKinds } from '../load/hook-kinds/hook-kinds.js';
import type { Phase } from '../load/run-phase.js';
import type { SubscriberFigures } from '../load/slow-subscribers.js';
import type { SoakOptions } from '../options.js';

/** Describes the machine and the versions. Printed with the figures, which mean nothing without them. */
export function describeMachine(): Record<string, string> {
  return {
    machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}`,
    node: `${process.version} (libuv ${process.versions.uv}, V8 ${process.versions.v8})`,
    bash: orNothing(() => execFileSync('bash', ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? ''),
    tenterhook: orNothing(() => (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version),
    'load before': loadavg()
      .map((load) => load.toFixed(2))
      .join(' '),
  };
}

const manifest = new URL('../../../packages/tenterhook/package.json', import.meta.url);

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return 'not there';
  }
}

/** The figures of a run, as plain data. `--json` prints them. */
export interface Figures {
  readonly machine: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly load: number;
  readonly elapsedMs: number;
  readonly isInterrupted: boolean;
  readonly events: number;
  readonly requests: number;
  readonly responses: number;
  /** The number of responses by how they ended: success, or the code of the error. */
  readonly ends: Readonly<Record<string, number>>;
  /** The number of outcomes of hooks. */
  readonly hooks: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** The number of runs of hostile hooks. */
  readonly faults: number;
  readonly kinds: readonly { readonly name: string; readonly isHostile: boolean; readonly statuses: Readonly<Record<string, number>> }[];
  readonly reloads: number;
  readonly subscribers: SubscriberFigures;
  /** The number of events that were sent in order to be ended early. */
  readonly cancels: number;
  /** The longest delay between the deadline of a hook that timed out and its outcome, in milliseconds. */
  readonly latestTimeoutMs: number;
  /** The longest delay between a cancel and the response, in milliseconds. */
  readonly latestCancelMs: number;
  /** How long the event loop of this process was blocked: the 99th percentile and the maximum. */
  readonly loopDelayMs: { readonly p99: number; readonly max: number };
  readonly circuitChanges: number;
  readonly maxRssBytes: number;
  readonly heapBytes: { readonly before: number; readonly after: number; readonly tolerance: number };
  readonly descriptors: { readonly before: number; readonly after: number };
  readonly processes: { readonly before: number; readonly after: number };
  readonly daemons: number;
  readonly violationCount: number;
  readonly violations: readonly Violation[];
}

export interface Course {
  readonly machine: Readonly<Record<string, string>>;
  readonly options: SoakOptions;
  readonly phase: Phase;
  readonly elapsedMs: number;
  readonly isInterrupted: boolean;
  readonly loopDelay: { percentile(percentile: number): number; readonly max: number };
  readonly before: ResourceSnapshot & { readonly processes: number };
  readonly after: Leftovers;
  readonly violations: Violations;
}

export function figuresOf(course: Course): Figures {
  const { machine, options, phase, elapsedMs, isInterrupted, loopDelay, before, after, violations } = course;
  const { requestLog, settings, scenarios, subscribers } = phase;
  const kinds = hookKinds.map(({ name, isHostile }) => ({ name, isHostile, statuses: requestLog.kinds.get(name)?.toJSON() ?? {} }));
  const hostileRuns = hookKinds.filter((kind) => kind.isHostile).map((kind) => requestLog.kinds.get(kind.name)?.total ?? 0);
  const cuts = Object.entries(scenarios.toJSON()).filter(([scenario]) => /aborted|timed out|cancelled|unsubscribed/.test(scenario));
  return {
    machine,
    seed: options.seed,
    load: options.load,
    elapsedMs: Math.round(elapsedMs),
    isInterrupted,
    events: scenarios.total,
    requests: requestLog.requests,
    responses: requestLog.responses,
    ends: requestLog.ends.toJSON(),
    hooks: requestLog.statuses.total,
    statuses: requestLog.statuses.toJSON(),
    faults: hostileRuns.reduce((sum, runs) => sum + runs, 0),
    kinds,
    reloads: settings.reloads,
    subscribers: subscribers.figures,
    cancels: cuts.reduce((sum, [, count]) => sum + count, 0),
    latestTimeoutMs: requestLog.latestTimeoutMs,
    latestCancelMs: requestLog.latestCancelMs,
    loopDelayMs: { p99: Math.round(loopDelay.percentile(99) / 1e6), max: Math.round(loopDelay.max / 1e6) },
    circuitChanges: requestLog.circuitChanges,
    maxRssBytes: process.resourceUsage().maxRSS * 1024,
    heapBytes: { before: before.heapBytes, after: after.snapshot.heapBytes, tolerance: heapToleranceBytes },
    descriptors: { before: before.descriptors, after: after.snapshot.descriptors },
    processes: { before: before.processes, after: after.processes },
    daemons: after.daemons,
    violationCount: violations.count,
    violations: violations.first,
  };
}
