import type { Bench } from '../../bench.js';

/** One part of the table. Its name is known before anything is started, so that `--only` starts nothing else. */
export interface Case {
  readonly name: string;
  /** Whether `npm run bench:guard` compares its ratios. @default true */
  readonly guarded?: boolean;
  /** Makes the benchmark, with the peer or without it. */
  make(withPeer: boolean): Promise<Bench> | Bench;
}
