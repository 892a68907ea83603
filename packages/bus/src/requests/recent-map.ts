/**
 * Keeps the entries that were added last: at least `least` of them, and at most twice as many.
 *
 * Removing the oldest entry of one map with each new one was rejected. V8 leaves a hole for each removed entry, and passes over all holes to
 * find the next oldest entry: microseconds for each of thousands of entries.
 */
export class RecentMap<Key, Value> {
  readonly #least: number;
  #recent = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(least: number) {
    this.#least = least;
  }

  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  get(key: Key): Value | undefined {
    return this.#recent.get(key) ?? this.#older.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#least) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }

  delete(key: Key): void {
    this.#recent.delete(key);
    this.#older.delete(key);
  }
}
