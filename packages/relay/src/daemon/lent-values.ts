/** A value that is lent. It is not closed before it is given back. */
export interface Lent<Value> {
  readonly value: Value;
  giveBack(): void;
}

interface Entry<Value> {
  readonly value: Promise<Value>;
  users: number;
  isDropped: boolean;
}

/** Keeps the values that were used last, and closes the others when their last user has given them back. */
export class LentValues<Value> {
  readonly #max: number;
  readonly #close: (value: Value) => Promise<void>;
  /** The value that was used last is the last. */
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #closing = new Set<Promise<void>>();

  constructor(max: number, close: (value: Value) => Promise<void>) {
    this.#max = max;
    this.#close = close;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Lends the value of a key. `open` makes it if there is none. Rejects if `open` rejects. */
  async lend(key: string, open: () => Promise<Value>): Promise<Lent<Value>> {
    const entry = this.#entries.get(key) ?? { value: open(), users: 0, isDropped: false };
    entry.users += 1;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#max && oldest !== undefined) this.drop(oldest);
    let isLent = true;
    const giveBack = () => {
      if (!isLent) return;
      isLent = false;
      entry.users -= 1;
      this.#closeUnused(entry);
    };
    try {
      return { value: await entry.value, giveBack };
    } catch (error) {
      if (this.#entries.get(key) === entry) this.drop(key);
      giveBack();
      throw error;
    }
  }

  /** Forgets the value of a key. The next user gets a new one. */
  drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    entry.isDropped = true;
    this.#closeUnused(entry);
  }

  /** Drops all values. Resolves when those without users are closed. */
  async close(): Promise<void> {
    for (const key of [...this.#entries.keys()]) this.drop(key);
    await Promise.all(this.#closing);
  }

  #closeUnused(entry: Entry<Value>): void {
    if (!entry.isDropped || entry.users > 0) return;
    const closing = entry.value.then((value) => this.#close(value)).catch(() => {});
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }
}
