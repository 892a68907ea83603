import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Variant } from './bench.js';
import { quantile } from './statistics.js';

const samples = 15;

/**
 * Bytes of the JavaScript heap that one call allocates: the growth of the used heap over a batch that begins with an empty nursery
 * and is too small to fill it, so that nothing is collected in between. Takes the median of several batches, because the compiler
 * allocates too. Memory outside that heap (Buffers) is not counted, nor are allocations that optimised code avoids.
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

/** Sets the flag at run time, so that `npm run bench` needs no options. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
