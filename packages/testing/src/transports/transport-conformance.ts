import type { ConformanceTest } from '../conformance-test.js';
import { busCases } from './bus-cases.js';
import type { ConformanceCase, Direction, TransportEnds, TransportFeatures } from './conformance-case.js';
import { connectionCases } from './connection-cases.js';
import { contentCases } from './content-cases.js';
import { deliveryCases } from './delivery-cases.js';
import { servingCases } from './serving-cases.js';

const cases: readonly ConformanceCase[] = [...deliveryCases, ...servingCases, ...contentCases, ...connectionCases, ...busCases];

/**
 * Returns tests of one transport. They check the promises of `Transport`, which the comment of `Transport` in `@tenterhook/bus` lists. Each
 * promise is tested with messages from an end to itself, and in every direction between different ends. `open` is called for each test,
 * after the ends of the previous test were closed.
 */
export function transportConformance(open: () => Promise<TransportEnds>, features: TransportFeatures = {}): readonly ConformanceTest[] {
  // Without `crossProcess` all ends are the same object, so one direction is enough.
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
          if (publisher === undefined || other === undefined || last < 1) throw new TypeError('open() must return at least two ends');
          await run({ from: publisher, to: other, ends, features });
        } finally {
          await opened.close();
        }
      },
    }));
  });
}

/**
 * The directions to try. End 0 is the centre, if there is one. It and an outer end send to themselves and to each other, and one outer end
 * sends to another.
 */
const directions: readonly Direction[] = [
  { from: 0, to: 1 },
  { from: 0, to: 0 },
  { from: 1, to: 1 },
  { from: 1, to: 0 },
  { from: 1, to: 2 },
];
