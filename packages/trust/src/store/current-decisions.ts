import type { Diagnostic } from '@tenterhook/protocol';
import type { Decisions } from '../states/states.js';
import type { TrustStore } from './trust-store.js';

/** Milliseconds for which the state of the store is reused. The hooks of one event are checked in less time. */
const storeLookMs = 2;

/** The decisions that apply in this process, kept up to date with the store. Empty before the first `read`. */
export class CurrentDecisions {
  readonly #store: TrustStore;
  readonly #pins: ReadonlySet<string>;
  #decisions: Decisions = { trusted: new Map(), denied: new Map(), pins: new Set() };
  #problems: readonly Diagnostic[] = [];
  #stamp = '';
  #lookedAt = 0;

  /** `pins` are trusted in this process only. */
  constructor(store: TrustStore, pins: readonly string[] = []) {
    this.#store = store;
    this.#pins = new Set(pins);
  }

  get all(): Decisions {
    return this.#decisions;
  }

  get problems(): readonly Diagnostic[] {
    return this.#problems;
  }

  read(): void {
    this.#decisions = this.#readStore();
  }

  /** Checks whether another process has changed decisions. Returns whether the decisions of this process have changed. */
  look(): boolean {
    const now = performance.now();
    if (now - this.#lookedAt < storeLookMs) return false;
    this.#lookedAt = now;
    if (this.#store.stamp() === this.#stamp) return false;
    // A denial by another process takes effect at once, an acceptance only at the next reload. Otherwise a running hook could store its
    // own acceptance.
    const before = this.#decisions.trusted;
    const { trusted, ...others } = this.#readStore();
    this.#decisions = { ...others, trusted: new Map([...before].filter(([pin]) => trusted.has(pin))) };
    return true;
  }

  #readStore(): Decisions {
    // The stamp is taken before the decisions are read. So a decision that another process stores during the reading is noticed next
    // time.
    this.#stamp = this.#store.stamp();
    const { trusted, denied, problems } = this.#store.read();
    this.#problems = problems;
    return { trusted, denied, pins: this.#pins };
  }
}
