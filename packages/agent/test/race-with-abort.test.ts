import { getEventListeners } from 'node:events';
import { jest } from '@jest/globals';
import { AbortTimeoutError, raceWithAbort } from '../src/race-with-abort.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const never = () => new Promise<never>(() => {});

test('work that ends is handed on, and so is what it throws', async () => {
  const { signal } = new AbortController();
  expect(await raceWithAbort(() => 'done', signal)).toBe('done');
  expect(await raceWithAbort(async () => 'later', undefined)).toBe('later');
  const error = new Error('no');
  const thrown = raceWithAbort(() => {
    throw error;
  }, signal);
  await expect(thrown).rejects.toBe(error);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(jest.getTimerCount()).toBe(0);
});

test('work that overlooks the abort is given up a moment later', async () => {
  const control = new AbortController();
  const work = raceWithAbort(never, control.signal);
  control.abort();
  jest.runAllTimers();
  await expect(work).rejects.toBeInstanceOf(AbortTimeoutError);
  expect(getEventListeners(control.signal, 'abort')).toEqual([]);
});

test('work that ends within that moment counts', async () => {
  const control = new AbortController();
  let end: (value: string) => void = () => {};
  const work = raceWithAbort(
    () =>
      new Promise<string>((resolve) => {
        end = resolve;
      }),
    control.signal,
  );
  control.abort();
  end('half');
  expect(await work).toBe('half');
  expect(jest.getTimerCount()).toBe(0);
});

test('with a signal that has aborted the work is begun, and given up', async () => {
  let begun = false;
  const work = raceWithAbort(() => {
    begun = true;
    return never();
  }, AbortSignal.abort());
  jest.runAllTimers();
  await expect(work).rejects.toBeInstanceOf(AbortTimeoutError);
  expect(begun).toBe(true);
});
