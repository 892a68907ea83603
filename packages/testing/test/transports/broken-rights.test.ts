import type { Delivery } from '@tenterhook/bus';
import type { BusMessage } from '@tenterhook/protocol';
import { type TransportFeatures, transportConformance } from '../../src/index.js';
import { openTrusting } from './trusting-ends.js';

function found(titles: RegExp, features: TransportFeatures, open = () => openTrusting()) {
  const [test] = transportConformance(open, { crossProcess: true, ...features }).filter(({ title }) => titles.test(title));
  return test?.run();
}

test('a transport that passes on the answers of strangers does not pass', async () => {
  const titles = /an answer of an end that did not receive the request/;
  await expect(found(titles, {})).rejects.toThrow(/a stranger cancelled the request|forged/);
});

test('a transport that passes on the second answer first does not pass', async () => {
  const held: BusMessage[] = [];
  const open = () =>
    openTrusting((publish) => (message): Delivery | Promise<Delivery> => {
      if (message.type !== 'HOOK_EXECUTION_RESPONSE') return publish(message);
      held.push(message);
      if (held.length < 2) return 'unserved';
      const [last, first] = [held.pop(), held.pop()] as [BusMessage, BusMessage];
      void publish(last);
      return publish(first);
    });
  await expect(found(/a second answer to a request/, {}, open)).rejects.toThrow(/'second'.*'first'/s);
});

test('a transport without a limit of requests does not pass', async () => {
  await expect(found(/one request more than may wait/, { maxRequests: 5 })).rejects.toThrow(/'served'.*overloaded/s);
});

test('each test runs as often at once as the option says', async () => {
  let opened = 0;
  const open = () => {
    opened += 1;
    return openTrusting();
  };
  const [test] = transportConformance(open, {}, { parallel: 3 });
  await test?.run();
  expect(opened).toBe(3);
});

test.each(['0', 'many', '101'])('TENTERHOOK_CONFORMANCE_PARALLEL=%s is refused', (text) => {
  process.env['TENTERHOOK_CONFORMANCE_PARALLEL'] = text;
  try {
    expect(() => transportConformance(() => openTrusting())).toThrow('must be an integer from 1 to 100');
  } finally {
    delete process.env['TENTERHOOK_CONFORMANCE_PARALLEL'];
  }
});
