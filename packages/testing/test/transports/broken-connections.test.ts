import type { ConnectionState, Delivery, Transport } from '@tenterhook/bus';
import type { Channel } from '@tenterhook/protocol';
import { transportConformance } from '../../src/index.js';
import { passOn } from './pass-on.js';
import { CuttableSocketEnds, maxMessageBytes } from './socket-ends.js';

type StateListener = (state: ConnectionState) => void;
type Break = (inner: Transport) => Partial<Transport>;

/**
 * Ways to break a rule about remote ends or interrupted connections. Each has the change, the title of the test that must fail, and
 * its message.
 */
const broken: Record<string, readonly [Break, RegExp, string]> = {
  'knows at the centre its own subscribers alone': [
    (inner) => {
      const own = new Map<Channel, number>();
      const count = (channel: Channel, change: number) => own.set(channel, (own.get(channel) ?? 0) + change);
      return {
        subscribe: (channel, listener) => {
          count(channel, 1);
          const stop = inner.subscribe(channel, listener);
          return () => {
            count(channel, -1);
            stop();
          };
        },
        isSubscribed: (channel) => (own.get(channel) ?? 0) > 0,
      };
    },
    /^the centre knows the subscribers/,
    'a subscriber of another end is not known',
  ],
  'counts at the centre the servers of others': [
    (inner) => ({
      serve: (channel, listener, route) => {
        inner.subscribe(channel, () => {});
        return inner.serve(channel, listener, route);
      },
    }),
    /^the centre knows the subscribers/,
    'a server counts as a subscriber',
  ],
  'never forgets at the centre who subscribed': [neverForgetting, /^the centre knows the subscribers/, 'that stopped is not forgotten'],
  'never forgets at the centre who subscribed at an end that closed': [
    neverForgetting,
    /^the centre forgets the subscribers of an end that has closed/,
    'has closed is not forgotten',
  ],
  'never forgets at the centre who subscribed at an end that is cut off': [
    neverForgetting,
    /^the centre forgets the subscribers of an end that is cut off/,
    'is cut off is not forgotten',
  ],
  'knows no subscribers at an end that is cut off': [
    (inner) => whileLost(inner, (isLost) => ({ isSubscribed: (channel) => !isLost() && inner.isSubscribed?.(channel) === true })),
    /^the centre forgets the subscribers of an end that is cut off/,
    'the end itself still has its subscriber',
  ],
  'does not tell that it was cut off': [
    () => ({ onConnectionChange: undefined as never }),
    /^an end that is cut off reports/,
    'an end that can be cut off must have onConnectionChange()',
  ],
  'tells restored before it is': [
    (inner) =>
      telling(inner, (listener) => (state) => {
        listener(state);
        if (state === 'lost') listener('restored');
      }),
    /^an end that is cut off reports/,
    'reported states when the connection was lost',
  ],
  'tells lost twice': [
    (inner) =>
      telling(inner, (listener) => (state) => {
        listener(state);
        if (state === 'lost') listener(state);
      }),
    /^an end that is cut off reports/,
    'reported states when the connection was lost',
  ],
  'forgets what it serves when it is cut off': [
    (inner) => ({
      serve: (channel, listener, route) => {
        const stop = inner.serve(channel, listener, route);
        inner.onConnectionChange?.(stop);
        return stop;
      },
    }),
    /^an end that is cut off reports/,
    'the servers are not restored to their last state',
  ],
  'forgets who subscribed when it is cut off': [
    (inner) => ({
      subscribe: (channel, listener) => {
        const stop = inner.subscribe(channel, listener);
        inner.onConnectionChange?.(stop);
        return stop;
      },
    }),
    /^an end that is cut off reports/,
    'received messages',
  ],
  'calls it unserved what it could not publish': [
    (inner) => ({ publish: (message) => Promise.resolve(inner.publish(message)).catch((): Delivery => 'unserved') }),
    /^a publication at an end that is cut off/,
    "code: 'disconnected'",
  ],
  'publishes later what it rejected': [
    (inner) => ({
      publish: async (message) => {
        try {
          return await inner.publish(message);
        } catch (error) {
          inner.onConnectionChange?.(() => void inner.publish(message));
          throw error;
        }
      },
    }),
    /^a publication at an end that is cut off/,
    'a rejected message was delivered',
  ],
  'calls it unserved what was on its way': [
    (inner) => ({ publish: (message) => Promise.resolve(inner.publish(message)).catch((): Delivery => 'unserved') }),
    /^a message that an end published before it was cut off/,
    'there was a server all the time',
  ],
  'calls it served what was on its way': [
    (inner) => ({ publish: (message) => Promise.resolve(inner.publish(message)).catch((): Delivery => 'served') }),
    /^a message that an end published before it was cut off/,
    'a message that was confirmed as served was not served',
  ],
  'goes on telling who was taken away': [
    (inner) => {
      const listen = inner.onConnectionChange?.bind(inner);
      if (listen === undefined) return {};
      return {
        onConnectionChange: (listener) => {
          listen(listener);
          return () => {};
        },
      };
    },
    /^a throwing listener of the connection/,
    'reported states',
  ],
  'tells the last listener alone': [
    (inner) => {
      let last: StateListener | undefined;
      return telling(inner, (listener) => {
        last = listener;
        return (state) => {
          if (last === listener) listener(state);
        };
      });
    },
    /^when a bus is cut off/,
    'a request did not end when the connection was lost',
  ],
};

const { open, disconnect } = new CuttableSocketEnds();

function conformanceOf(breakIt: Break, titles: RegExp) {
  const openBroken = () => open((end) => ({ ...passOn(end), ...breakIt(end) }));
  const features = { crossProcess: true, maxMessageBytes, isSubscribed: 'centre', disconnect } as const;
  return transportConformance(openBroken, features).filter(({ title }) => titles.test(title));
}

test('the same transport passes when nothing of it is broken', async () => {
  for (const titles of new Set(Object.values(broken).map(([, title]) => title.source))) {
    const tests = conformanceOf(() => ({}), new RegExp(titles));
    expect(tests).not.toEqual([]);
    await Promise.all(tests.map(({ run }) => run()));
  }
});

for (const [name, [breakIt, titles, message]] of Object.entries(broken)) {
  test(`a transport that ${name} does not pass`, async () => {
    const [found] = conformanceOf(breakIt, titles);
    await expect(found?.run()).rejects.toThrow(message);
  });
}

function neverForgetting(inner: Transport): Partial<Transport> {
  const seen = new Set<Channel>();
  return {
    isSubscribed: (channel) => {
      if (inner.isSubscribed?.(channel) === true) seen.add(channel);
      return seen.has(channel);
    },
  };
}

/** Changes how the ends that can lose the connection report its state. */
function telling(inner: Transport, change: (listener: StateListener) => StateListener): Partial<Transport> {
  const listen = inner.onConnectionChange?.bind(inner);
  return listen === undefined ? {} : { onConnectionChange: (listener) => listen(change(listener)) };
}

/** Changes an end while its connection is lost. */
function whileLost(inner: Transport, make: (isLost: () => boolean) => Partial<Transport>): Partial<Transport> {
  let isLost = false;
  inner.onConnectionChange?.((state) => {
    isLost = state === 'lost';
  });
  return make(() => isLost);
}
