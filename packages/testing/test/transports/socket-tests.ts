import { type ConformanceTest, transportConformance } from '../../src/index.js';
import { CuttableSocketEnds, maxMessageBytes, openSocketEnds } from './socket-ends.js';

const features = { crossProcess: true, maxMessageBytes, isSubscribed: 'centre' } as const;

/** The suite in two parts: each promise in the first direction in which it is tried, then in all others. */
export function testSocketTransport(part: 'first' | 'rest'): void {
  // In one process. Real processes are in the tests of the transport.
  const direct = transportConformance(openSocketEnds, features);
  for (const { title, run } of partOf(direct, part)) test(title, run);

  describe('with ends that are cut off', () => {
    const { open, disconnect } = new CuttableSocketEnds();
    const known = new Set(direct.map(({ title }) => title));
    // What takes no cut is tried above, with nothing between hub and client.
    const added = transportConformance(() => open(), { ...features, disconnect }).filter(({ title }) => !known.has(title));
    for (const { title, run } of partOf(added, part)) test(title, run);
  });
}

function partOf(tests: readonly ConformanceTest[], part: 'first' | 'rest'): readonly ConformanceTest[] {
  const promises = tests.map(({ title }) => title.replace(/ \(end \d to end \d\)$/, ''));
  return tests.filter((_, index) => (promises.indexOf(promises[index] as string) === index) === (part === 'first'));
}
