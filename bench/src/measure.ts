import type { Bench, Variant } from './bench.js';
import { quantile } from './statistics.js';

/** What one variant took, each per single doing, in the unit of its bench. */
export interface Measured {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
  readonly min: number;
  /** Against the median of the first variant. */
  readonly ratio: number;
  readonly samples: number;
  /** Share of the wall time in which the main thread was busy: a frozen agent hides behind a good median. */
  readonly loopBusy: number;
}

const perUnit = { ms: 1, µs: 1e3, ns: 1e6 } as const;

/**
 * Runs the variants of a bench interleaved, in an order that is shuffled every round, so that a slow minute of the machine
 * slows them all; medians and not means, because one hiccup must not decide.
 */
export async function measure(bench: Bench, onRound: (round: number) => void): Promise<Measured[]> {
  const samples = new Map<string, number[]>(bench.variants.map((variant) => [variant.name, []]));
  const busy = new Map<string, number[]>(bench.variants.map((variant) => [variant.name, []]));
  for (let round = -bench.warmup; round < bench.rounds; round += 1) {
    onRound(round);
    for (const variant of shuffled(bench.variants)) {
      const { took, utilisation } = await timed(variant);
      if (round < 0) continue;
      samples.get(variant.name)?.push(took * perUnit[bench.unit]);
      busy.get(variant.name)?.push(utilisation);
    }
  }
  const baseline = quantile(samples.get(bench.variants[0].name) ?? [], 0.5);
  return bench.variants.map(({ name }) => {
    const own = samples.get(name) ?? [];
    const median = quantile(own, 0.5);
    return {
      name,
      median,
      p95: quantile(own, 0.95),
      min: Math.min(...own),
      ratio: median / baseline,
      samples: own.length,
      loopBusy: quantile(busy.get(name) ?? [], 0.5),
    };
  });
}

async function timed(variant: Variant): Promise<{ took: number; utilisation: number }> {
  const batch = variant.batch ?? 1;
  const loop = performance.eventLoopUtilization();
  const start = performance.now();
  const running = variant.run(batch);
  // A variant without a promise is not awaited: one await is more than what it measures.
  if (running !== undefined) await running;
  const took = (performance.now() - start) / batch;
  return { took, utilisation: performance.eventLoopUtilization(loop).utilization };
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const order = [...items];
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [order[index], order[other]] = [order[other] as Item, order[index] as Item];
  }
  return order;
}
