import { allocatedBytes } from './allocation.js';
import type { Bench, Variant } from './bench.js';
import { longestStall } from './longest-stall.js';
import { quantile } from './statistics.js';

/** The measurements of one variant, each for one call, in the unit of its benchmark. */
export interface Measured {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
  readonly min: number;
  /** The ratio to the median of the first variant, or of the variant that it names. */
  readonly ratio: number;
  readonly samples: number;
  /** The median processor time of this process. Time alone does not show whether work was saved or only moved to another process. */
  readonly cpu: number;
  /** The median time in which the main thread was busy, in milliseconds. Only of variants that wait. */
  readonly busy: number;
  /** Bytes allocated, if the bench counts them. */
  readonly bytes?: number;
  /** The median of the longest time for which a run blocked the event loop, in milliseconds, if the bench measures it. */
  readonly stall?: number;
}

const perUnit = { ms: 1, µs: 1e3, ns: 1e6, MiB: Number.NaN } as const;

/**
 * Runs the variants of a benchmark in turn, in an order that is shuffled in every round, so that a slow minute of the machine affects all
 * of them. Uses medians and not means, because one slow run must not decide.
 */
export async function measure(bench: Bench, onRound: (round: number) => void): Promise<Measured[]> {
  const samples = new Map<string, number[]>(bench.variants.map((variant) => [variant.name, []]));
  const cpu = new Map<string, number[]>(bench.variants.map((variant) => [variant.name, []]));
  const busy = new Map<string, number[]>(bench.variants.map((variant) => [variant.name, []]));
  for (let round = -bench.warmup; round < bench.rounds; round += 1) {
    onRound(round);
    for (const variant of shuffled(bench.variants)) {
      const { took, used, active, measured } = await timed(variant);
      if (round < 0) continue;
      samples.get(variant.name)?.push(measured ?? took * perUnit[bench.unit]);
      cpu.get(variant.name)?.push(used * perUnit[bench.unit]);
      busy.get(variant.name)?.push(active);
    }
  }
  const stalls = new Map<string, number[]>(bench.variants.map((variant) => [variant.name, []]));
  for (let round = 0; round < (bench.stallRounds ?? 0); round += 1) {
    for (const variant of shuffled(bench.variants)) {
      await variant.prepare?.();
      stalls.get(variant.name)?.push(await longestStall(() => variant.run(variant.batch ?? 1)));
    }
  }
  // Measured after the rounds, when the code is compiled, because interpreted code allocates more.
  const bytes = new Map<string, number>();
  if (bench.bytesOver !== undefined) {
    for (const variant of bench.variants) bytes.set(variant.name, await allocatedBytes(variant, bench.bytesOver));
  }
  const medianOf = (name: string) => quantile(samples.get(name) ?? [], 0.5);
  return bench.variants.map(({ name, against = bench.variants[0].name }) => {
    const own = samples.get(name) ?? [];
    const median = medianOf(name);
    const allocated = bytes.get(name);
    const stalled = stalls.get(name) ?? [];
    return {
      name,
      median,
      p95: quantile(own, 0.95),
      min: Math.min(...own),
      ratio: median / medianOf(against),
      samples: own.length,
      cpu: quantile(cpu.get(name) ?? [], 0.5),
      busy: quantile(busy.get(name) ?? [], 0.5),
      ...(allocated === undefined ? {} : { bytes: allocated }),
      ...(stalled.length === 0 ? {} : { stall: quantile(stalled, 0.5) }),
    };
  });
}

interface Timed {
  readonly took: number;
  readonly used: number;
  readonly active: number;
  readonly measured: number | undefined;
}

async function timed(variant: Variant): Promise<Timed> {
  const batch = variant.batch ?? 1;
  await variant.prepare?.();
  const loop = performance.eventLoopUtilization();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const measured = variant.measure === undefined ? undefined : await variant.measure();
  const running = measured === undefined ? variant.run(batch) : undefined;
  // Only a promise is awaited: one await takes longer than what some variants measure.
  if (running !== undefined) await running;
  const took = (performance.now() - start) / batch;
  const { user, system } = process.cpuUsage(cpu);
  const { active } = performance.eventLoopUtilization(loop);
  return { took, used: (user + system) / 1000 / batch, active: active / batch, measured };
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const order = [...items];
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [order[index], order[other]] = [order[other] as Item, order[index] as Item];
  }
  return order;
}
