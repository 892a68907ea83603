import type { ConformanceTest } from '../conformance-test.js';
import { busCases } from './bus-cases.js';
import type { ConformanceCase, Direction, TransportEnds, TransportFeatures } from './conformance-case.js';
import { connectionCases } from './connection-cases.js';
import { contentCases } from './content-cases.js';
import { deliveryCases } from './delivery-cases.js';
import { servingCases } from './serving-cases.js';

const cases: readonly ConformanceCase[] = [...deliveryCases, ...servingCases, ...contentCases, ...connectionCases, ...busCases];

/**
 * The promises of `Transport` (its comment in `@tenterhook/bus` is the list), as tests of one transport: each is tried from an end to itself, and
 * in every direction between different ends. `open` is called for each test, with nothing left of the one before.
 */
export function transportConformance(open: () => Promise<TransportEnds>, features: TransportFeatures = {}): readonly ConformanceTest[] {
  // Ends of one process are one object, and then all directions are the same.
  const tried = features.crossProcess === true ? directions : directions.slice(0, 1);
  return tried.flatMap(({ from, to }) => {
    const applying = cases.filter(({ appliesTo }) => appliesTo?.({ from, to }, features) ?? true);
    return applying.map(({ title, run }) => ({
      title: `${title} (end ${from} to end ${to})`,
      run: async () => {
        const opened = await open();
        try {
          const { ends } = opened;
          const last = ends.length - 1;
          const [publisher, other] = [ends[Math.min(from, last)], ends[Math.min(to, last)]];
          if (publisher === undefined || other === undefined || last < 1) throw new TypeError('open() must give two ends at least');
          await run({ from: publisher, to: other, ends, features });
        } finally {
          await opened.close();
        }
      },
    }));
  });
}

/** In a star end 0 is the centre: the centre and an outer end to themselves, one to the other, and outer to outer. */
const directions: readonly Direction[] = [
  { from: 0, to: 1 },
  { from: 0, to: 0 },
  { from: 1, to: 1 },
  { from: 1, to: 0 },
  { from: 1, to: 2 },
];
