import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Variant } from './bench.js';
import { quantile } from './statistics.js';

const samples = 15;

/**
 * Measures the bytes of the JavaScript heap that one call allocates: the growth of the used heap over a batch of calls. The batch begins
 * with an empty young generation of the heap and is too small to fill it, so that nothing is collected in between. Returns the median of
 * several batches, because the compiler allocates, too. Memory outside of that heap (Buffers) is not counted, nor are allocations that
 * optimised code avoids.
 */
export async function allocatedBytes(variant: Variant, times: number): Promise<number> {
  const collect = garbageCollector();
  const grown: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    collect();
    const before = process.memoryUsage().heapUsed;
    const running = variant.run(times);
    if (running !== undefined) await running;
    grown.push((process.memoryUsage().heapUsed - before) / times);
  }
  return quantile(grown, 0.5);
}

/** Returns the garbage collector. The flag for it is set at run time, so that `npm run bench` needs no options. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
