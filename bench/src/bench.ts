/**
 * One variant of a bench. `run` repeats it `batch` times and checks the answer: a variant that returns early, or fails, would look fast.
 * Its time is measured, unless it has a `measure`.
 */
export interface Variant {
  readonly name: string;
  /** Repetitions in one measurement; for variants that take nanoseconds. @default 1 */
  readonly batch?: number;
  /** Name of the variant to compare with. @default the first of the bench */
  readonly against?: string;
  run(batch: number): Promise<void> | void;
  /** Replaces `run`: runs the variant once and resolves to its value in the unit of the bench. For values that the clock of this process cannot give. */
  readonly measure?: () => Promise<number>;
}

/** Variants that are measured together in one run, and their promised ratio. */
export interface Bench {
  readonly name: string;
  /** What the numbers do not show. */
  readonly note?: string;
  readonly unit: 'ms' | 'µs' | 'ns';
  readonly warmup: number;
  readonly rounds: number;
  /** Also count allocations, over this number of calls at a time: few enough to fit the nursery of the heap. @default not counted */
  readonly bytesOver?: number;
  /** The first one is the baseline of the ratios, unless a variant names another. */
  readonly variants: readonly [Variant, ...Variant[]];
  /** Marks of this bench, checked against the medians and printed as reached or not. */
  readonly marks?: readonly Mark[];
  /** Called after the last round; stops what the bench started. */
  readonly dispose?: () => Promise<void>;
}

export interface Mark {
  readonly text: string;
  reached(
    median: (variant: string) => number,
    bytes: (variant: string) => number,
  ): { readonly reached: boolean; readonly measured: string };
}
