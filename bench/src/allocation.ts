import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Variant } from './bench.js';
import { quantile } from './statistics.js';

const samples = 15;

/**
 * Bytes of the JavaScript heap that one doing allocates: the growth of the used heap over a batch that begins with an empty nursery
 * and is too small to fill it, so that nothing is collected in between. The median of several: the compiler allocates, too.
 * It does not see memory outside that heap (Buffers), and not what optimised code has avoided to allocate: that is the point.
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

/** Without a flag on the command line, so that `npm run bench` is all there is to type. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}
