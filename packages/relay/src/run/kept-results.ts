import type { AggregatedHookResult, RelayKept } from '@tenterhook/protocol';

/** How long a later event of a call may take to arrive. */
const lifeMs = 60_000;
/** The maximum number of results, so that calls that never go on do not fill the memory. */
const mostKept = 1000;

/** Results that later events of the same call of a tool need. Each is used once, and forgotten after a minute. */
export class KeptResults {
  readonly #kept = new Map<string, { readonly results: readonly AggregatedHookResult[]; readonly until: number }>();
  readonly #now: () => number;

  /** `now` returns milliseconds that never go back. @default the clock of this process */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  keep(kept: readonly RelayKept[]): void {
    const now = this.#now();
    for (const [key, { until }] of this.#kept) if (until <= now) this.#kept.delete(key);
    for (const { key, results } of kept) {
      this.#kept.delete(key);
      this.#kept.set(key, { results, until: now + lifeMs });
    }
    const [...keys] = this.#kept.keys();
    for (const key of keys.slice(0, Math.max(0, keys.length - mostKept))) this.#kept.delete(key);
  }

  take(key: string | undefined): readonly AggregatedHookResult[] | undefined {
    const found = key === undefined ? undefined : this.#kept.get(key);
    if (key === undefined || found === undefined) return undefined;
    this.#kept.delete(key);
    return found.until > this.#now() ? found.results : undefined;
  }
}
