/** A violation, and where it occurred. */
export interface Violation {
  readonly what: string;
  /** The number of the event in the order of the seed. */
  readonly event?: string;
  readonly hook?: string;
}

/**
 * The maximum number of violations that are kept. These are enough to find the cause; with a fault at every event, more would fill the
 * memory that is being measured.
 */
const kept = 100;

export class Violations {
  readonly #first: Violation[] = [];
  #count = 0;

  add(violation: Violation): void {
    this.#count += 1;
    if (this.#first.length < kept) this.#first.push(violation);
  }

  get count(): number {
    return this.#count;
  }

  get first(): readonly Violation[] {
    return this.#first;
  }
}
