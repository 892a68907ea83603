import { type RemoteRig, remoteRig } from './rig.js';

let rig: RemoteRig;
afterEach(() => rig.dispose());

/** Longer than a test has: whoever gets its answer has not waited for it. */
const forLong = { timeoutMs: 60_000 };

test('who waits is told at once that nothing more will be heard', async () => {
  rig = await remoteRig();
  const waiting = rig.remote.waitFor('nobody', forLong);
  rig.remote.close();
  expect(await waiting).toBe(false);
  expect(await rig.remote.waitFor('nobody', forLong)).toBe(false);
});

test('who waits gives up with its signal, also with one that has aborted before', async () => {
  rig = await remoteRig();
  const control = new AbortController();
  const waiting = rig.remote.waitFor('nobody', { ...forLong, signal: control.signal });
  control.abort();
  expect(await waiting).toBe(false);
  expect(await rig.remote.waitFor('nobody', { ...forLong, signal: control.signal })).toBe(false);
});

test.each([Number.POSITIVE_INFINITY, Number.NaN, 0, -1, 2 ** 31, '5000'])(
  'a timeoutMs of %p is thrown, and nobody is asked',
  async (timeoutMs) => {
    rig = await remoteRig();
    const asked: unknown[] = [];
    rig.engineBus.subscribe('HOOK_HANDLER_ANNOUNCE', (message) => asked.push(message));
    expect(() => rig.remote.waitFor('policy', { timeoutMs: timeoutMs as number })).toThrow(
      new TypeError(
        `timeoutMs must be a number of milliseconds from 1 to 2147483647, not ${typeof timeoutMs === 'string' ? '"5000"' : timeoutMs}.`,
      ),
    );
    expect(asked).toEqual([]);
  },
);

test('an engine that is known and does not answer any more does not count', async () => {
  rig = await remoteRig();
  rig.handle('guard', () => undefined);
  rig.engine.connect(rig.engineBus, { name: 'policy' });
  expect(await rig.remote.waitFor('policy')).toBe(true);
  await rig.engineBus.close();
  // Its farewell could not be sent: it is still known.
  expect(rig.remote.engines).toMatchObject([{ name: 'policy', isAbsent: false }]);
  expect(await rig.remote.waitFor('policy', { timeoutMs: 1 })).toBe(false);
});
