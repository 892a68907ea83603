/** The maximum nesting of shells (`bash -c "bash -c …"`). */
export const maxDepth = 5;

/**
 * Limits how much text of commands and scripts is parsed in one pass over the hooks of a project. A text that is parsed several times,
 * with different values of its variables, counts each time. Limits of files and bytes alone were rejected, because a script of 256 KiB
 * can be written so that it is parsed dozens of times.
 */
export class ReadBudget {
  readonly limit: number;
  #taken = 0;

  /** `limit`: the number of characters. @default 4 MiB */
  constructor(limit = 4 * 1024 * 1024) {
    this.limit = limit;
  }

  /** The number of characters that were taken so far. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes a number of characters. Returns false if fewer are left. */
  take(length: number): boolean {
    if (this.#taken + length > this.limit) return false;
    this.#taken += length;
    return true;
  }
}
