/** A violation, and where it was seen. */
export interface Violation {
  readonly what: string;
  /** Number of the event in the order of the seed. */
  readonly event?: string;
  readonly hook?: string;
}

/** Enough to find the cause; a fault at every event must not fill the memory that is measured. */
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
