import type { ConformanceTest } from '../conformance-test.js';
import { busCases } from './bus-cases.js';
import type { ConformanceCase, Direction, TransportEnds, TransportFeatures } from './conformance-case.js';
import { connectionCases } from './connection-cases.js';
import { contentCases } from './content-cases.js';
import { deliveryCases } from './delivery-cases.js';
import { exchangeCases } from './exchange-cases.js';
import { loadCases } from './load-cases.js';
import { servingCases } from './serving-cases.js';

const cases: readonly ConformanceCase[] = [
  ...deliveryCases,
  ...servingCases,
  ...contentCases,
  ...connectionCases,
  ...busCases,
  ...exchangeCases,
  ...loadCases,
];

/** How the tests run. */
export interface TransportConformanceOptions {
  /**
   * How often each test runs, all at the same time and each with ends of its own. Under such a load other orders of events occur.
   * @default the environment variable `TENTERHOOK_CONFORMANCE_PARALLEL`, or 1
   */
  readonly parallel?: number | undefined;
}

/**
 * Returns tests of one transport. They check the promises that the comment of `Transport` in `@tenterhook/bus` lists. Each promise
 * is tested with messages from an end to itself, and in every direction between different ends. Each test calls `open`, after the
 * ends of the previous test were closed.
 */
export function transportConformance(
  open: () => Promise<TransportEnds>,
  features: TransportFeatures = {},
  { parallel = parallelFromEnvironment() }: TransportConformanceOptions = {},
): readonly ConformanceTest[] {
  // Without `crossProcess` all ends are the same object, so one direction is enough.
  const tried = features.crossProcess === true ? directions : directions.slice(0, 1);
  return tried.flatMap((direction) => {
    const applying = cases.filter(({ appliesTo }) => appliesTo?.(direction, features) ?? true);
    return applying.map(({ title, run }) => ({
      title: `${title} (end ${direction.from} to end ${direction.to})`,
      run: async () => {
        await Promise.all(Array.from({ length: parallel }, () => runOnce(run, open, direction, features)));
      },
    }));
  });
}

async function runOnce(
  run: ConformanceCase['run'],
  open: () => Promise<TransportEnds>,
  { from, to }: Direction,
  features: TransportFeatures,
): Promise<void> {
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
}

function parallelFromEnvironment(): number {
  const text = process.env['TENTERHOOK_CONFORMANCE_PARALLEL'];
  if (text === undefined || text === '') return 1;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 100) return count;
  throw new TypeError(`TENTERHOOK_CONFORMANCE_PARALLEL must be an integer from 1 to 100, and is ${JSON.stringify(text)}.`);
}

/**
 * The directions to try. End 0 is the centre, if there is one. The centre and an outer end send to themselves and to each other,
 * and one outer end sends to another.
 */
const directions: readonly Direction[] = [
  { from: 0, to: 1 },
  { from: 0, to: 0 },
  { from: 1, to: 1 },
  { from: 1, to: 0 },
  { from: 1, to: 2 },
];
