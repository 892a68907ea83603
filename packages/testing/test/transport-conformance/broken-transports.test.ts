import { type Delivery, MemoryTransport, type Transport, type TransportListener } from '@tenterhook/bus';
import type { BusMessage, Channel } from '@tenterhook/protocol';
import { transportConformance } from '../../src/index.js';

/** Ways to break one promise each, and words of the titles of tests that have to notice. */
const broken: Record<string, readonly [(inner: MemoryTransport) => Partial<Transport>, RegExp]> = {
  'tells everybody that a message was served': [
    (inner) => ({ publish: (message) => after(inner.publish(message), () => 'served') }),
    /unserved when there are only subscribers/,
  ],
  'tells nobody that a message was served': [
    (inner) => ({ publish: (message) => after(inner.publish(message), () => 'unserved') }),
    /servers on all ends take turns/,
  ],
  'gives a request to every server': [
    (inner) => ({ serve: (channel, listener) => inner.subscribe(channel, listener) }),
    /exactly one server/,
  ],
  'knows no routes': [(inner) => ({ serve: (channel, listener) => inner.serve(channel, listener, 'a') }), /routed channel/],
  'copies messages': [(inner) => ({ publish: (message) => inner.publish(structuredClone(message)) }), /the object that was published/],
  'forgets fields': [
    (inner) => ({ publish: (message) => inner.publish({ type: message.type, payload: without(message.payload, 'input') } as BusMessage) }),
    /arrive unmodified/,
  ],
  'drops malformed requests': [
    (inner) => ({ publish: (message) => (typeof message.payload === 'object' ? inner.publish(message) : 'unserved') }),
    /malformed payloads of requests/,
  ],
  'goes on calling after unsubscribing': [
    (inner) => ({
      subscribe: (channel, listener) => {
        inner.subscribe(channel, listener);
        return () => {};
      },
    }),
    /unsubscribing takes effect at once/,
  ],
  'goes on serving after it was stopped': [
    (inner) => ({
      serve: (channel: Channel, listener: TransportListener, route?: string) => {
        inner.serve(channel, listener, route);
        return () => {};
      },
    }),
    /a server that stops while messages are on their way/,
  ],
  'can be closed once': [
    (inner) => {
      let count = 0;
      return { close: () => (count++ > 0 ? Promise.reject(new Error('closed')) : inner.close()) };
    },
    /close\(\) is idempotent/,
  ],
  'publishes after close()': [
    (inner) => ({ publish: (message) => after(inner.publish(message), (delivery) => delivery ?? 'unserved') }),
    /publish\(\) rejects with disposed/,
  ],
};

for (const [name, [breakIt, titles]] of Object.entries(broken)) {
  test(`a transport that ${name} does not pass`, async () => {
    const open = async () => {
      const inner = new MemoryTransport();
      const sound: Transport = {
        name: 'broken',
        publish: (message) => inner.publish(message),
        subscribe: (channel, listener) => inner.subscribe(channel, listener),
        serve: (channel, listener, route) => inner.serve(channel, listener, route),
        close: () => inner.close(),
      };
      const transport = { ...sound, ...breakIt(inner) };
      return { ends: [transport, transport], close: () => inner.close() };
    };
    const [found] = transportConformance(open).filter(({ title }) => titles.test(title));
    await expect(found?.run()).rejects.toThrow();
  });
}

/** What a broken publish() makes of a delivery, and of a rejection, which it does not see as one. */
async function after(published: Delivery | Promise<Delivery>, change: (delivery?: Delivery) => Delivery): Promise<Delivery> {
  return change(await Promise.resolve(published).catch(() => undefined));
}

function without(payload: unknown, key: string): unknown {
  if (typeof payload !== 'object' || payload === null) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([each]) => each !== key));
}
