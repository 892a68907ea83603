import { transportConformance } from '../../src/index.js';
import { partOf } from './part-of.js';
import { CuttableSocketEnds, maxMessageBytes, openSocketEnds } from './socket-ends.js';

const features = { crossProcess: true, maxMessageBytes, maxRequests: 4096, isSubscribed: 'centre' } as const;

/**
 * Runs one of two parts of the suite. `first` tests each rule in the first possible direction, and `rest` tests it in all other
 * directions.
 */
export function testSocketTransport(part: 'first' | 'rest'): void {
  // The ends are in one process. The tests of the transport package use real processes.
  const direct = transportConformance(openSocketEnds, features);
  for (const { title, run } of partOf(direct, part)) test(title, run);

  describe('with ends that are cut off', () => {
    const { open, disconnect, pause } = new CuttableSocketEnds();
    const known = new Set(direct.map(({ title }) => title));
    // Tests without an interruption already run above, without a proxy between hub and clients.
    const added = transportConformance(() => open(), { ...features, disconnect, pause }).filter(({ title }) => !known.has(title));
    for (const { title, run } of partOf(added, part)) test(title, run);
  });
}
