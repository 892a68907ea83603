import { MemoryTransport, type Transport } from '@tenterhook/bus';
import type { TransportEnds } from '../../src/index.js';

type Publish = Transport['publish'];

/** Three ends that pass copies of everything to each other, and do not check who may send it. `change` breaks what they publish. */
export async function openTrusting(change: (publish: Publish) => Publish = (publish) => publish): Promise<TransportEnds> {
  const shared = new MemoryTransport();
  const publish = change((message) => shared.publish(structuredClone(message)));
  const ends = [0, 1, 2].map(
    (): Transport => ({
      name: 'trusting',
      publish,
      subscribe: (channel, listener) => shared.subscribe(channel, listener),
      serve: (channel, listener, route) => shared.serve(channel, listener, route),
      close: () => shared.close(),
    }),
  );
  return { ends, close: () => shared.close() };
}
