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
  /**
   * Replaces `run`: runs the variant once and resolves to its value in the unit of the benchmark. For values that the clock of this process
   * cannot measure.
   */
  readonly measure?: () => Promise<number>;
}

/** Variants that are measured together, and the promised ratio between them. */
export interface Bench {
  readonly name: string;
  /** What the numbers do not show. */
  readonly note?: string;
  readonly unit: 'ms' | 'µs' | 'ns';
  readonly warmup: number;
  readonly rounds: number;
  /** The number of calls over which allocations are counted. They must fit into the young generation of the heap. @default not counted */
  readonly bytesOver?: number;
  /** The variants. The first is the baseline of the ratios, unless a variant names another. */
  readonly variants: readonly [Variant, ...Variant[]];
  /** The marks of this benchmark. Each is compared with the medians and printed as reached or not. */
  readonly marks?: readonly Mark[];
  /** Called after the last round. Stops everything that the benchmark started. */
  readonly dispose?: () => Promise<void>;
}

export interface Mark {
  readonly text: string;
  reached(
    median: (variant: string) => number,
    bytes: (variant: string) => number,
  ): { readonly reached: boolean; readonly measured: string };
}
