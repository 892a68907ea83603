import { describeValue } from '@tenterhook/runtime/text';
import type { RecordedExchange } from '../format/recording.js';
import { type HookRun, readEvent } from './event-figures.js';
import type { RecordingReport, ReportOptions, ReportRow } from './recording-report.js';

/** How much a builder keeps. Without limits, it keeps a number for each run. */
export interface BuilderLimits {
  /** Rows beyond this number are left out. */
  readonly maxRows?: number;
  /** The durations that a row keeps. Beyond it, the oldest tenth is forgotten. */
  readonly maxDurations?: number;
}

/** The smallest number of runs of which a 95th percentile says something. */
const leastForP95 = 20;

/** Adds up the figures of events one by one, so that a reader need not have all events in memory. */
export class ReportBuilder {
  readonly #by: RecordingReport['by'];
  readonly #sort: NonNullable<ReportOptions['sort']>;
  readonly #maxRows: number;
  readonly #maxDurations: number;
  readonly #rows = new Map<string, Growing>();
  readonly #hooks = new Set<string>();
  #events = 0;
  #runs = 0;

  constructor({ by = 'hook', sort = 'total' }: ReportOptions = {}, limits: BuilderLimits = {}) {
    if (!['hook', 'event', 'session'].includes(by)) {
      throw new TypeError(`by must be "hook", "event" or "session", and is ${describeValue(by)}.`);
    }
    if (!['p95', 'total', 'failures'].includes(sort)) {
      throw new TypeError(`sort must be "p95", "total" or "failures", and is ${describeValue(sort)}.`);
    }
    this.#by = by;
    this.#sort = sort;
    const { maxRows = Number.POSITIVE_INFINITY, maxDurations = Number.POSITIVE_INFINITY } = limits;
    this.#maxRows = maxRows;
    this.#maxDurations = maxDurations;
  }

  /** Adds an event. Returns false if it has no outcomes, so that it does not count. */
  add(exchange: RecordedExchange): boolean {
    const event = readEvent(exchange);
    if (event === undefined) return false;
    const { eventName, session = 'unknown', runs, circuits } = event;
    const by = this.#by;
    const keyOf = (hookId: string) => (by === 'hook' ? hookId : by === 'event' ? eventName : session);
    const nameOf = (hookId: string, name?: string) => (by === 'hook' ? (name ?? shortId(hookId)) : keyOf(hookId));
    this.#events += 1;
    for (const run of runs) {
      const row = this.#rowOf(keyOf(run.hookId), nameOf(run.hookId, run.name));
      if (run.isRun) this.#countRun(run.hookId);
      if (row === undefined) continue;
      row.events.add(eventName);
      if (run.isRun && run.engine !== undefined) row.engines.add(run.engine);
      row.waitedMs += run.waitedMs;
      addRun(row, run);
      if (by === 'hook' && run.durationMs !== undefined) this.#addDuration(row, run.durationMs);
    }
    for (const { hookId, state } of circuits) this.#addCircuit(keyOf(hookId), nameOf(hookId), state);
    if (by !== 'hook' && runs.some(({ durationMs }) => durationMs !== undefined)) {
      const row = this.#rowOf(keyOf(''), keyOf(''));
      if (row !== undefined)
        this.#addDuration(
          row,
          runs.reduce((sum, { waitedMs }) => sum + waitedMs, 0),
        );
    }
    return true;
  }

  /** Adds a change of a circuit after its event was added. Of rows by hook only. */
  addCircuit(hookId: string, state: string): void {
    if (this.#by === 'hook') this.#addCircuit(hookId, shortId(hookId), state);
  }

  /** Returns a builder with the same figures, to add events that may still change. */
  copy(): ReportBuilder {
    const copy = new ReportBuilder({ by: this.#by, sort: this.#sort }, { maxRows: this.#maxRows, maxDurations: this.#maxDurations });
    for (const [key, row] of this.#rows) copy.#rows.set(key, copyRow(row));
    for (const hookId of this.#hooks) copy.#hooks.add(hookId);
    copy.#events = this.#events;
    copy.#runs = this.#runs;
    return copy;
  }

  /** The last durations of a row, in the order in which their events were added. */
  lastDurations(key: string, most: number): number[] {
    return this.#rows.get(key)?.durations.slice(-most) ?? [];
  }

  /** `hasTimes` is false if all recordings are in the minimal form. */
  report(hasTimes: boolean): RecordingReport {
    const rows = [...this.#rows.values()];
    const waitedMs = rows.reduce((sum, row) => sum + row.waitedMs, 0);
    const names = new Map<string, number>();
    for (const { name } of rows) names.set(name, (names.get(name) ?? 0) + 1);
    const finished = rows.map((row) => finish(row, waitedMs, (names.get(row.name) ?? 0) > 1));
    return {
      by: this.#by,
      events: this.#events,
      runs: this.#runs,
      hooks: this.#hooks.size,
      waitedMs: rounded(waitedMs),
      hasTimes,
      rows: finished.sort((a, b) => rankOf(b, this.#sort) - rankOf(a, this.#sort) || (a.key < b.key ? -1 : 1)),
    };
  }

  #rowOf(key: string, name: string): Growing | undefined {
    const known = this.#rows.get(key);
    if (known !== undefined || this.#rows.size >= this.#maxRows) return known;
    const row = createRow(key, name);
    this.#rows.set(key, row);
    return row;
  }

  #countRun(hookId: string): void {
    this.#runs += 1;
    if (this.#hooks.size < this.#maxRows) this.#hooks.add(hookId);
  }

  #addDuration({ durations }: Growing, durationMs: number): void {
    durations.push(durationMs);
    if (durations.length > this.#maxDurations) durations.splice(0, Math.ceil(this.#maxDurations / 10));
  }

  #addCircuit(key: string, name: string, state: string): void {
    const row = this.#rowOf(key, name);
    if (row !== undefined) count(row.circuits, state);
  }
}

interface Growing {
  readonly key: string;
  readonly name: string;
  readonly events: Set<string>;
  readonly engines: Set<string>;
  readonly durations: number[];
  waitedMs: number;
  readonly counts: { runs: number; deny: number; ask: number; allow: number; stop: number; rewrites: number; timeouts: number };
  readonly failures: Record<string, number>;
  readonly skips: Record<string, number>;
  readonly circuits: Record<string, number>;
}

function createRow(key: string, name: string): Growing {
  const counts = { runs: 0, deny: 0, ask: 0, allow: 0, stop: 0, rewrites: 0, timeouts: 0 };
  // Without a prototype, because a code or a reason comes from a file and may be `constructor`.
  const empty = () => Object.create(null) as Record<string, number>;
  return {
    key,
    name,
    events: new Set(),
    engines: new Set(),
    durations: [],
    waitedMs: 0,
    counts,
    failures: empty(),
    skips: empty(),
    circuits: empty(),
  };
}

function copyRow(row: Growing): Growing {
  const { events, engines, durations, counts, failures, skips, circuits } = row;
  const copied = (record: Readonly<Record<string, number>>) => Object.assign(Object.create(null), record) as Record<string, number>;
  return {
    ...row,
    events: new Set(events),
    engines: new Set(engines),
    durations: [...durations],
    counts: { ...counts },
    failures: copied(failures),
    skips: copied(skips),
    circuits: copied(circuits),
  };
}

function addRun({ counts, failures, skips }: Growing, run: HookRun): void {
  if (run.isRun) counts.runs += 1;
  if (run.decision !== 'none') counts[run.decision] += 1;
  if (run.stops) counts.stop += 1;
  if (run.rewrites) counts.rewrites += 1;
  if (run.isTimeout) counts.timeouts += 1;
  if (run.failure !== undefined) count(failures, run.failure);
  if (run.skipReason !== undefined) count(skips, run.skipReason);
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

function finish(row: Growing, allWaitedMs: number, isAmbiguous: boolean): ReportRow {
  const { key, name, events, engines, durations, waitedMs, counts, failures, skips, circuits } = row;
  const sorted = [...durations].sort((a, b) => a - b);
  return {
    key,
    name: isAmbiguous ? key : name,
    events: [...events].sort(),
    engines: [...engines].sort(),
    ...counts,
    p50Ms: nearestRank(sorted, 0.5),
    p95Ms: sorted.length < leastForP95 ? undefined : nearestRank(sorted, 0.95),
    maxMs: sorted.at(-1),
    waitedMs: rounded(waitedMs),
    waitedShare: allWaitedMs === 0 ? 0 : waitedMs / allWaitedMs,
    failures: { ...failures },
    skips: { ...skips },
    circuits: { ...circuits },
  };
}

/** The smallest duration that is not shorter than this share of all. */
function nearestRank(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.ceil(share * sorted.length) - 1];
}

function rankOf(row: ReportRow, sort: 'p95' | 'total' | 'failures'): number {
  if (sort === 'failures') return Object.values(row.failures).reduce((sum, failures) => sum + failures, 0);
  // Rows of few runs have no percentile, and are compared by their maximum.
  return sort === 'total' ? row.waitedMs : (row.p95Ms ?? row.maxMs ?? 0);
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function shortId(hookId: string): string {
  return hookId.split('/').at(-1) as string;
}
