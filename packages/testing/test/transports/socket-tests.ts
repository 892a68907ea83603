import { type ConformanceTest, transportConformance } from '../../src/index.js';
import { CuttableSocketEnds, maxMessageBytes, openSocketEnds } from './socket-ends.js';

const features = { crossProcess: true, maxMessageBytes, isSubscribed: 'centre' } as const;

/**
 * Runs one of two parts of the suite. `first` tests each rule in the first direction in which the suite can test it, `rest` in all other
 * directions.
 */
export function testSocketTransport(part: 'first' | 'rest'): void {
  // The ends are in one process. The tests of the transport package use real processes.
  const direct = transportConformance(openSocketEnds, features);
  for (const { title, run } of partOf(direct, part)) test(title, run);

  describe('with ends that are cut off', () => {
    const { open, disconnect } = new CuttableSocketEnds();
    const known = new Set(direct.map(({ title }) => title));
    // Tests without an interruption already run above, without a proxy between hub and clients.
    const added = transportConformance(() => open(), { ...features, disconnect }).filter(({ title }) => !known.has(title));
    for (const { title, run } of partOf(added, part)) test(title, run);
  });
}

function partOf(tests: readonly ConformanceTest[], part: 'first' | 'rest'): readonly ConformanceTest[] {
  const promises = tests.map(({ title }) => title.replace(/ \(end \d to end \d\)$/, ''));
  return tests.filter((_, index) => (promises.indexOf(promises[index] as string) === index) === (part === 'first'));
}
