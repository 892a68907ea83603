import type { Diagnostic } from '@tenterhook/protocol';
import type { Decisions } from '../states/states.js';
import type { TrustStore } from './trust-store.js';

/** How long a look at the store holds, in milliseconds. The hooks of one event are looked at within a fraction of it. */
const storeLookMs = 2;

/** What was decided, as far as it counts in this process, kept up to date with the store. Nothing is decided before the first `read`. */
export class CurrentDecisions {
  readonly #store: TrustStore;
  readonly #pins: ReadonlySet<string>;
  #decisions: Decisions = { trusted: new Map(), denied: new Map(), pins: new Set() };
  #problems: readonly Diagnostic[] = [];
  #stamp = '';
  #lookedAt = 0;

  /** `pins`: those that count for this process only. */
  constructor(store: TrustStore, pins: readonly string[] = []) {
    this.#store = store;
    this.#pins = new Set(pins);
  }

  get all(): Decisions {
    return this.#decisions;
  }

  /** Problems of the store. */
  get problems(): readonly Diagnostic[] {
    return this.#problems;
  }

  /** Reads the store. */
  read(): void {
    this.#decisions = this.#readStore();
  }

  /** Looks whether another process has decided. Returns whether decisions of this process have changed. */
  look(): boolean {
    const now = performance.now();
    if (now - this.#lookedAt < storeLookMs) return false;
    this.#lookedAt = now;
    if (this.#store.stamp() === this.#stamp) return false;
    // Refusals of another process count at once, and its consents at the next reload: a hook that runs must not be able to trust itself.
    const before = this.#decisions.trusted;
    const { trusted, ...others } = this.#readStore();
    this.#decisions = { ...others, trusted: new Map([...before].filter(([pin]) => trusted.has(pin))) };
    return true;
  }

  #readStore(): Decisions {
    // The stamp is taken first, so that a decision of another process in between is noticed at the next look.
    this.#stamp = this.#store.stamp();
    const { trusted, denied, problems } = this.#store.read();
    this.#problems = problems;
    return { trusted, denied, pins: this.#pins };
  }
}
