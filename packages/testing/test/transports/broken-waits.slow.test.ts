import { MemoryTransport, type Transport } from '@tenterhook/bus';
import { type TransportEnds, type TransportFeatures, transportConformance } from '../../src/index.js';
import { passOn } from './pass-on.js';
import { openTrusting } from './trusting-ends.js';

/** Ways to lose messages. A test notices each only when it stops waiting, after 20 s, so all run at the same time. */
const broken: readonly {
  readonly open: () => Promise<TransportEnds>;
  readonly features: TransportFeatures;
  readonly title: RegExp;
  readonly missing: RegExp;
}[] = [
  {
    open: inMemory((inner) => {
      let isAnswered = false;
      return {
        publish: (message) => {
          if (message.type === 'HOOK_EXECUTION_RESPONSE') isAnswered = true;
          return isAnswered && message.type === 'HOOK_EXECUTION_PROGRESS' ? 'unserved' : inner.publish(message);
        },
      };
    }),
    features: {},
    title: /progress that is published after the answer/,
    missing: /1 progress message; 0 arrived/,
  },
  {
    open: inMemory((inner) => ({
      subscribe: (channel, listener, scope) => (scope === 'addressed' ? () => {} : inner.subscribe(channel, listener)),
    })),
    features: {},
    title: /a listener of addressed messages/,
    missing: /1 cancel; 0 arrived/,
  },
  {
    open: inMemory((inner) => {
      let count = 0;
      return {
        publish: (message) => {
          count += 1;
          return count % 500 === 0 ? 'unserved' : inner.publish(message);
        },
      };
    }),
    features: {},
    title: /sixteen megabytes/,
    missing: /1000 messages; 99\d arrived/,
  },
  pausedForAll(),
];

test('transports that lose or delay messages do not pass', async () => {
  await Promise.all(
    broken.map(async ({ open, features, title, missing }) => {
      const [found] = transportConformance(open, features).filter((each) => title.test(each.title));
      await expect(found?.run()).rejects.toThrow(missing);
    }),
  );
});

function inMemory(breakIt: (inner: MemoryTransport) => Partial<Transport>): () => Promise<TransportEnds> {
  return async () => {
    const inner = new MemoryTransport();
    const transport = { ...passOn(inner), isSubscribed: undefined as never, ...breakIt(inner) };
    return { ends: [transport, transport], close: () => inner.close() };
  };
}

/** A transport whose paused end delays all others. */
function pausedForAll() {
  let gate: Promise<void> | undefined;
  const open = () =>
    openTrusting((publish) => async (message) => {
      await gate;
      return publish(message);
    });
  const pause = async () => {
    gate = new Promise(() => {});
    return () => {};
  };
  return { open, features: { crossProcess: true, pause }, title: /an end that does not read/, missing: /the end of each publish/ };
}
