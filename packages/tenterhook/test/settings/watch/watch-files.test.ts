import { jest } from '@jest/globals';
import type { FileStamps } from '../../../src/settings/watch/file-stamps.js';
import { type FileWatch, watchFiles } from '../../../src/settings/watch/watch-files.js';

const stamps = (text: string): FileStamps => new Map([['/a', text]]);

/** A watch over one file that exists in this test only: every look waits until the test says what is seen. */
function watched(reload: (state: { loaded: FileStamps }, seen: FileStamps) => Promise<void> | void) {
  const state = { loaded: stamps('loaded') };
  let looked: (seen: FileStamps) => void = () => {};
  let announce: () => void = () => {};
  let seen = state.loaded;
  const watch: FileWatch = watchFiles({
    loaded: () => state.loaded,
    reload: async () => reload(state, seen),
    debounceMs: 1,
    look: () =>
      new Promise((resolve) => {
        looked = resolve;
        announce();
      }),
  });
  const nextLook = () =>
    new Promise<(text: string) => void>((resolve) => {
      announce = () =>
        resolve((text) => {
          seen = stamps(text);
          looked(seen);
        });
    });
  return { state, watch, nextLook };
}

afterEach(() => jest.useRealTimers());

test('a change that came to rest is one reload, and the looks go on', async () => {
  const read: FileStamps[] = [];
  const { watch, nextLook } = watched((state, seen) => {
    read.push(seen);
    state.loaded = seen;
  });
  for (const text of ['loaded', 'b', 'c', 'c', 'c', 'd', 'd', 'd']) (await nextLook())(text);
  await nextLook();
  watch.stop();
  expect(read).toEqual([stamps('c'), stamps('d')]);
});

test('nobody looks while a reload runs, however long, and a change in the meantime is seen after it', async () => {
  jest.useFakeTimers();
  let finish: () => void = () => {};
  const started: string[] = [];
  const { state, watch, nextLook } = watched(async (_state, seen) => {
    started.push([...seen.values()].join());
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    // The stamps of a load are those from before it read the files.
    state.loaded = seen;
  });
  const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
  const lookAfter = async (milliseconds: number) => {
    const look = nextLook();
    await pass(milliseconds);
    return look;
  };
  for (const text of ['b', 'b']) (await lookAfter(1))(text);
  let hasLooked = false;
  const look = nextLook().then((say) => {
    hasLooked = true;
    return say;
  });
  await pass(3_600_000);
  expect([started, hasLooked]).toEqual([['b'], false]);
  finish();
  await pass(1);
  (await look)('c');
  (await lookAfter(1))('c');
  await pass(0);
  expect(started).toEqual(['b', 'c']);
  finish();
  watch.stop();
});

test('a reload that fails ends nothing, and is not repeated as long as nothing changes', async () => {
  let count = 0;
  const { watch, nextLook } = watched(() => {
    count += 1;
    throw new Error('no home today');
  });
  for (const text of ['b', 'b', 'b', 'b', 'b']) (await nextLook())(text);
  await nextLook();
  expect(count).toBe(1);
  watch.stop();
});

test('after stop() the look that is under way leads to nothing', async () => {
  let count = 0;
  const { watch, nextLook } = watched(() => {
    count += 1;
  });
  (await nextLook())('b');
  const say = await nextLook();
  watch.stop();
  say('b');
  await new Promise((resolve) => setImmediate(resolve));
  expect(count).toBe(0);
});

test('it keeps no process alive', () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const before = timers();
  const watch = watchFiles({ loaded: () => stamps('a'), reload: async () => {}, debounceMs: 60_000 });
  expect(timers()).toBe(before);
  watch.stop();
});
