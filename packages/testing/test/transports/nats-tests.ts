import { testWithNats } from '../../../../test/support/nats-server.js';
import { transportConformance } from '../../src/index.js';
import { maxMessageBytes, NatsEnds } from './nats-ends.js';
import { partOf } from './part-of.js';

const features = { crossProcess: true, maxMessageBytes, maxRequests: 4096, isSubscribed: 'own', takesTurns: false } as const;

/** Runs one of two parts of the suite, as `testSocketTransport` does. */
export function testNatsTransport(part: 'first' | 'rest'): void {
  const { open, openCuttable, disconnect, pause, ...ends } = startedEnds();
  const direct = transportConformance(open, features);
  for (const { title, run } of partOf(direct, part)) testWithNats(title, () => ends.started().then(run));

  describe('with ends that are cut off', () => {
    const known = new Set(direct.map(({ title }) => title));
    const added = transportConformance(openCuttable, { ...features, disconnect, pause }).filter(({ title }) => !known.has(title));
    for (const { title, run } of partOf(added, part)) testWithNats(title, () => ends.started().then(run));
  });
}

/** The server starts with the first test, so that nothing fails where it is not installed. */
function startedEnds() {
  const ends = new NatsEnds();
  let starting: Promise<void> | undefined;
  afterAll(() => ends.stop());
  return {
    open: ends.open,
    openCuttable: ends.openCuttable,
    disconnect: ends.disconnect,
    pause: ends.pause,
    started: () => {
      starting ??= ends.start();
      return starting;
    },
  };
}
