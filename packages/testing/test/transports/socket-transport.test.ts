import { transportConformance } from '../../src/index.js';
import { CuttableSocketEnds, maxMessageBytes, openSocketEnds } from './socket-ends.js';

const features = { crossProcess: true, maxMessageBytes, isSubscribed: 'centre' } as const;

/** In one process. Real processes are in the tests of the transport. */
const direct = transportConformance(openSocketEnds, features);
for (const { title, run } of direct) test(title, run);

describe('with ends that are cut off', () => {
  const { open, disconnect } = new CuttableSocketEnds();
  const known = new Set(direct.map(({ title }) => title));
  // What takes no cut is tried above, with nothing between hub and client.
  const added = transportConformance(() => open(), { ...features, disconnect }).filter(({ title }) => !known.has(title));
  for (const { title, run } of added) test(title, run);
});
