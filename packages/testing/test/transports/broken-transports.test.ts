import { type Delivery, MemoryTransport, type Transport, type TransportListener } from '@tenterhook/bus';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { transportConformance } from '../../src/index.js';
import { passOn } from './pass-on.js';

/** Ways to break one rule each. Each has the change, part of the title of the test that must fail, and its message. */
const broken: Record<string, readonly [(inner: MemoryTransport) => Partial<Transport>, RegExp, RegExp]> = {
  'reports every message as served': [
    (inner) => ({ publish: (message) => after(inner.publish(message), () => 'served') }),
    /unserved if there are only subscribers/,
    /'served'.*'unserved'/s,
  ],
  'reports no message as served': [
    (inner) => ({ publish: (message) => after(inner.publish(message), () => 'unserved') }),
    /servers on all ends take turns/,
    /'unserved'.*'served'/s,
  ],
  'gives a request to every server': [
    (inner) => ({
      serve: (channel, listener, route) => {
        inner.serve(channel, () => {}, route);
        return inner.subscribe(channel, listener);
      },
    }),
    /exactly one server/,
    /30,.*10,/s,
  ],
  'knows no routes': [
    (inner) => ({ serve: (channel, listener) => inner.serve(channel, listener, 'a') }),
    /routed channel/,
    /'unserved'.*'served'/s,
  ],
  'copies messages': [
    (inner) => ({ publish: (message) => inner.publish(structuredClone(message)) }),
    /the published object itself/,
    /not reference-equal/,
  ],
  'forgets fields': [
    (inner) => ({ publish: (message) => inner.publish({ type: message.type, payload: without(message.payload, 'input') } as BusMessage) }),
    /arrive unmodified/,
    /-\s+input:/,
  ],
  'drops malformed requests': [
    (inner) => ({ publish: (message) => (typeof message.payload === 'object' ? inner.publish(message) : 'unserved') }),
    /malformed payloads of requests/,
    /\+\s+'unserved'/,
  ],
  'goes on calling after unsubscribing': [
    (inner) => ({
      subscribe: (channel, listener) => {
        inner.subscribe(channel, listener);
        return () => {};
      },
    }),
    /unsubscribing takes effect at once/,
    /\+\s+'m1'/,
  ],
  'goes on serving after it was stopped': [
    (inner) => ({
      serve: (channel: Channel, listener: TransportListener, route?: string) => {
        inner.serve(channel, listener, route);
        return () => {};
      },
    }),
    /a server that stops while messages are on their way/,
    /\+\s+'r10'/,
  ],
  'can be closed once': [
    (inner) => {
      let count = 0;
      return { close: () => (count++ > 0 ? Promise.reject(new Error('it is closed already')) : inner.close()) };
    },
    /close\(\) may be called twice/,
    /it is closed already/,
  ],
  'publishes after close()': [
    (inner) => ({ publish: (message) => after(inner.publish(message), (delivery) => delivery ?? 'unserved') }),
    /publish\(\) rejects with disposed/,
    /'unserved'.*code: 'disposed'/s,
  ],
  'reports no subscriber': [() => ({ isSubscribed: () => false }), /isSubscribed\(\) is true/, /two subscribe/],
  'always reports a subscriber': [() => ({ isSubscribed: () => true }), /isSubscribed\(\) is true/, /there is no subscriber yet/],
  'counts servers as subscribers': [
    (inner) => ({
      serve: (channel, listener, route) => {
        inner.subscribe(channel, () => {});
        return inner.serve(channel, listener, route);
      },
    }),
    /isSubscribed\(\) is true/,
    /there is no subscriber yet/,
  ],
  'does not forget who subscribed': [
    (inner) => {
      const seen = new Set<Channel>();
      return {
        subscribe: (channel, listener) => {
          seen.add(channel);
          return inner.subscribe(channel, listener);
        },
        isSubscribed: (channel) => seen.has(channel),
      };
    },
    /isSubscribed\(\) is true/,
    /both have stopped/,
  ],
  'counts one that stops twice as two': [
    (inner) => {
      const counts = new Map<Channel, number>();
      const count = (channel: Channel, change: number) => counts.set(channel, (counts.get(channel) ?? 0) + change);
      return {
        subscribe: (channel, listener) => {
          count(channel, 1);
          const stop = inner.subscribe(channel, listener);
          return () => {
            count(channel, -1);
            stop();
          };
        },
        isSubscribed: (channel) => (counts.get(channel) ?? 0) > 0,
      };
    },
    /isSubscribed\(\) is true/,
    /one of two has stopped, twice/,
  ],
  'delivers an answer twice': [
    (inner) => ({
      publish: (message) => {
        if (message.type === 'HOOK_EXECUTION_RESPONSE') void inner.publish(message);
        return inner.publish(message);
      },
    }),
    /when a cancel races the answer/,
    /should|Expected/,
  ],
};

const features = { isSubscribed: 'own' } as const;

function openWith(breakIt: (inner: MemoryTransport) => Partial<Transport>) {
  return async () => {
    const inner = new MemoryTransport();
    const transport = { ...passOn(inner), ...breakIt(inner) };
    return { ends: [transport, transport], close: () => inner.close() };
  };
}

test('the same transport passes when nothing of it is broken', async () => {
  for (const { run } of transportConformance(
    openWith(() => ({})),
    features,
  ))
    await run();
});

for (const [name, [breakIt, titles, message]] of Object.entries(broken)) {
  test(`a transport that ${name} does not pass`, async () => {
    const [found] = transportConformance(openWith(breakIt), features).filter(({ title }) => titles.test(title));
    await expect(found?.run()).rejects.toThrow(message);
  });
}

test('a transport that has isSubscribed() must declare it', async () => {
  const [found] = transportConformance(openWith(() => ({}))).filter(({ title }) => title.startsWith('isSubscribed()'));
  await expect(found?.run()).rejects.toThrow('the features do not declare it');
});

/** Changes the result of a publication. A rejection counts as a missing delivery. */
async function after(published: Delivery | Promise<Delivery>, change: (delivery?: Delivery) => Delivery): Promise<Delivery> {
  return change(await Promise.resolve(published).catch(() => undefined));
}

function without(payload: unknown, key: string): unknown {
  if (typeof payload !== 'object' || payload === null) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([each]) => each !== key));
}
