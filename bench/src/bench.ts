/**
 * One way to do a thing. `run` does it `batch` times and checks the answer: a variant that returns early, or fails, looks fast. It is timed,
 * unless it has a `measure`.
 */
export interface Variant {
  readonly name: string;
  /** Times the thing is done per measurement; for what takes nanoseconds. @default 1 */
  readonly batch?: number;
  /** Name of the variant that its ratio is against. @default the first of the bench */
  readonly against?: string;
  run(batch: number): Promise<void> | void;
  /** Does it once, in place of `run`, and resolves to what it took in the unit of the bench: for what the clock of this process cannot tell. */
  readonly measure?: () => Promise<number>;
}

/** Variants that are measured side by side in one run, and the ratio that is promised of them. */
export interface Bench {
  readonly name: string;
  /** What the numbers do not show. */
  readonly note?: string;
  readonly unit: 'ms' | 'µs' | 'ns';
  readonly warmup: number;
  readonly rounds: number;
  /** Also count what is allocated, over this many doings at a time: few enough to fit the nursery of the heap. @default not counted */
  readonly bytesOver?: number;
  /** The first one is the baseline of the ratios, where a variant names no other. */
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
