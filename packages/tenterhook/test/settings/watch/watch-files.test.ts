import { jest } from '@jest/globals';
import type { FileStamps } from '../../../src/settings/watch/file-stamps.js';
import { debounceChanges, type FileWatch, maxUnsettledLooks, watchFiles } from '../../../src/settings/watch/watch-files.js';

const stamps = (text: string): FileStamps => new Map([['/a', text]]);

/** Watches one simulated file. Each check of the file waits until the test provides the stamps. */
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

test('there is no look while a reload runs, however long, and a change in the meantime is seen after it', async () => {
  jest.useFakeTimers();
  let finish: () => void = () => {};
  const started: string[] = [];
  const { state, watch, nextLook } = watched(async (_state, seen) => {
    started.push([...seen.values()].join());
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    // A load records the stamps from before it read the files.
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

const loaded = stamps('loaded');

/** Returns, for each of several checks, whether a change is reported. `loaded` is the state from which the settings were read. */
function saidTo(...looks: readonly string[]): boolean[] {
  const isSettled = debounceChanges();
  return looks.map((look) => isSettled(loaded, stamps(look)));
}

test('nothing has changed', () => {
  expect(saidTo('loaded', 'loaded')).toEqual([false, false]);
});

test('a change counts when two looks in a row saw the same', () => {
  expect(saidTo('b', 'b')).toEqual([false, true]);
});

test('a burst of changes is one, when it is over', () => {
  expect(saidTo('b', 'c', 'd', 'd')).toEqual([false, false, false, true]);
});

test('what was undone before it counted is not a change, and does not count as half of the next', () => {
  expect(saidTo('b', 'loaded', 'b', 'b')).toEqual([false, false, false, true]);
});

test('a file that never comes to rest is read nevertheless, and then again', () => {
  const restless = Array.from({ length: 2 * maxUnsettledLooks }, (_, index) => `b${index}`);
  const said = saidTo(...restless);
  expect(said.flatMap((settled, index) => (settled ? [index] : []))).toEqual([maxUnsettledLooks - 1, 2 * maxUnsettledLooks - 1]);
});

test('what could not be loaded is not tried for ever, and tried again once it changes or something was loaded', () => {
  const isSettled = debounceChanges();
  const look = (text: string, from = loaded) => isSettled(from, stamps(text));
  expect([look('b'), look('b'), look('b'), look('b'), look('b')]).toEqual([false, true, false, false, false]);
  expect([look('c'), look('c')]).toEqual([false, true]);
  const again = stamps('loaded');
  expect([look('c', again), look('c', again)]).toEqual([false, true]);
});

test('a file that is looked for since the last time is a change', () => {
  const isSettled = debounceChanges();
  const more = new Map([...loaded, ['/b', '']]);
  expect([isSettled(loaded, more), isSettled(loaded, more)]).toEqual([false, true]);
});
