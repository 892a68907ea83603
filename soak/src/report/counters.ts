/** Counts how often each of several things happened. */
export class Counters {
  readonly #counts = new Map<string, number>();

  add(name: string, times = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times);
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Returns the counts, the highest first. */
  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a, times], [b, others]) => others - times || a.localeCompare(b)));
  }
}
