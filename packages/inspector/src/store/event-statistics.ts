import type { RecordedExchange } from '@tenterhook/recording';
import { ReportBuilder } from '@tenterhook/recording/internal';
import type { HookStatistics } from '../api/messages.js';
import type { ShownTexts } from './shown-texts.js';

/** Bounds of memory. The durations of a hook are those of its last runs. */
const limits = { maxRows: 10_000, maxDurations: 100_000 };
/** Events that wait for the late ends of their hooks. */
const mostPending = 1_000;
/** The number of durations in a sparkline. */
const mostLast = 100;

/** The figures of `tenterhook report`, made event by event. */
export class EventStatistics {
  readonly #figures = new ReportBuilder({ by: 'hook' }, limits);
  readonly #circuits = new Map<string, string>();
  /** Events with asynchronous hooks that have not ended. Their durations are known at the end of these hooks. */
  readonly #pending = new Set<RecordedExchange>();

  /**
   * Adds an answered event. With `isPending`, its late ends still come, until `settle` is called. Returns whether its figures are added: not
   * if it is pending, or has none.
   */
  add(exchange: RecordedExchange, isPending: boolean): boolean {
    if (!isPending) return this.#figures.add(exchange);
    this.#pending.add(exchange);
    for (const oldest of this.#pending) {
      if (this.#pending.size <= mostPending) break;
      this.settle(oldest);
    }
    return false;
  }

  settle(exchange: RecordedExchange): boolean {
    return this.#pending.delete(exchange) && this.#figures.add(exchange);
  }

  /** Notes the state of a circuit. With `isAfterwards`, its event was added already. */
  circuit(hookId: string, state: string, isAfterwards: boolean): void {
    if (this.#circuits.size < limits.maxRows || this.#circuits.has(hookId)) this.#circuits.set(hookId, state);
    if (isAfterwards) this.#figures.addCircuit(hookId, state);
  }

  /** The figures so far, in the order of `tenterhook report`. */
  hooks(texts: ShownTexts): HookStatistics[] {
    const figures = this.#pending.size === 0 ? this.#figures : this.#figures.copy();
    if (figures !== this.#figures) for (const exchange of this.#pending) figures.add(exchange);
    return figures.report(true).rows.map((row) => {
      const circuit = this.#circuits.get(row.key);
      return {
        hookId: texts.short(row.key),
        name: texts.short(row.name),
        eventName: texts.short(row.events[0] ?? ''),
        runs: row.runs,
        ...(row.p50Ms === undefined ? {} : { p50Ms: row.p50Ms }),
        ...(row.p95Ms === undefined ? {} : { p95Ms: row.p95Ms }),
        ...(row.maxMs === undefined ? {} : { maxMs: row.maxMs }),
        lastMs: figures.lastDurations(row.key, mostLast),
        denies: row.deny,
        failures: Object.values(row.failures).reduce((sum, failures) => sum + failures, 0),
        timeouts: row.timeouts,
        skips: Object.fromEntries(Object.entries(row.skips).map(([reason, skips]) => [texts.short(reason), skips])),
        ...(circuit === undefined ? {} : { circuit: texts.short(circuit) }),
      };
    });
  }
}
