import { jest } from '@jest/globals';
import type { HookExecutor } from '@tenterhook/protocol';
import { disposeInTime } from '../../../src/runner/executors/dispose-in-time.js';

const executorWith = (dispose?: () => Promise<void>): HookExecutor => ({
  kind: 'call',
  run: () => new Promise(() => {}),
  ...(dispose === undefined ? {} : { dispose }),
});

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('an executor that ends is waited for, and no timer stays', async () => {
  await disposeInTime(executorWith(async () => {}));
  await disposeInTime(executorWith());
  expect(jest.getTimerCount()).toBe(0);
});

test('one that never ends is left behind after ten seconds', async () => {
  const disposed = disposeInTime(executorWith(() => new Promise(() => {})));
  jest.advanceTimersByTime(9999);
  expect(await Promise.race([disposed, Promise.resolve('still waiting')])).toBe('still waiting');
  jest.advanceTimersByTime(1);
  await disposed;
});

test('one that fails keeps nobody from ending', async () => {
  await disposeInTime(executorWith(() => Promise.reject(new Error('of the test'))));
  await disposeInTime(
    executorWith(() => {
      throw new Error('of the test');
    }),
  );
});
