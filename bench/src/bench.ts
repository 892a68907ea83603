import type { Measured } from './measure.js';

/**
 * One variant of a benchmark. `run` repeats the work `batch` times and checks the answer, because a variant that returns early, or fails,
 * would look fast. The time of `run` is measured, unless the variant has a `measure`.
 */
export interface Variant {
  readonly name: string;
  /** The number of repetitions in one measurement, for variants that take nanoseconds. @default 1 */
  readonly batch?: number;
  /** The name of the variant to compare with. @default the first of the benchmark */
  readonly against?: string;
  run(batch: number): Promise<void> | void;
  /** Called before each run, and not measured. */
  readonly prepare?: () => Promise<void> | void;
  /**
   * Replaces `run`: runs the variant once and resolves to its value in the unit of the benchmark. For values that the clock of this process
   * cannot measure.
   */
  readonly measure?: () => Promise<number>;
}

/** `MiB` is only for variants with a `measure`. */
export type Unit = 'ms' | 'µs' | 'ns' | 'MiB';

/** Variants that are measured together, and the promised ratio between them. */
export interface Bench {
  readonly name: string;
  /** What the numbers do not show. */
  readonly note?: string;
  readonly unit: Unit;
  readonly warmup: number;
  readonly rounds: number;
  /** The number of calls over which allocations are counted. They must fit into the young generation of the heap. @default not counted */
  readonly bytesOver?: number;
  /** The number of additional rounds that measure how long the event loop is blocked at a time. @default not measured */
  readonly stallRounds?: number;
  /** Variants that cannot be measured on this machine, each with the reason. */
  readonly absent?: readonly Absent[];
  /** The variants. The first is the baseline of the ratios, unless a variant names another. */
  readonly variants: readonly [Variant, ...Variant[]];
  /** The marks of this benchmark. Each is compared with the medians and printed as reached or not. */
  readonly marks?: readonly Mark[];
  /** Called after the last round. Stops everything that the benchmark started. */
  readonly dispose?: () => Promise<void>;
}

export interface Absent {
  readonly name: string;
  readonly why: string;
}

export interface Mark {
  readonly text: string;
  /** Variants without which the mark cannot be checked. The mark is left out if one of them is absent. */
  readonly needs?: readonly string[];
  reached(
    median: (variant: string) => number,
    bytes: (variant: string) => number,
    row: (variant: string) => Measured,
  ): { readonly reached: boolean; readonly measured: string; readonly over?: number };
  /** Why the mark may be missed. */
  readonly why?: string;
}
