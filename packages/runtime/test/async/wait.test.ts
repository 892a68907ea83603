import { getEventListeners } from 'node:events';
import { jest } from '@jest/globals';
import { wait } from '../../src/async/wait.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

async function isOver(waiting: Promise<void>): Promise<boolean> {
  return Promise.race([waiting.then(() => true), Promise.resolve().then(() => Promise.resolve().then(() => false))]);
}

test('it lasts for the given time, and leaves neither timer nor listener', async () => {
  const { signal } = new AbortController();
  const waiting = wait(500, signal);
  jest.advanceTimersByTime(499);
  expect(await isOver(waiting)).toBe(false);
  jest.advanceTimersByTime(1);
  await waiting;
  expect(jest.getTimerCount()).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an abort ends it, and leaves neither timer nor listener', async () => {
  const controller = new AbortController();
  const waiting = wait(500, controller.signal);
  controller.abort();
  await waiting;
  expect(jest.getTimerCount()).toBe(0);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

test('a signal that has aborted lets nothing begin', async () => {
  await wait(500, AbortSignal.abort());
  expect(jest.getTimerCount()).toBe(0);
});

test('without a signal it waits too', async () => {
  const waiting = wait(5, undefined);
  jest.advanceTimersByTime(5);
  await waiting;
});

test('many that wait for one signal have one listener on it', async () => {
  const controller = new AbortController();
  const waiting = Array.from({ length: 50 }, () => wait(500, controller.signal));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort();
  await Promise.all(waiting);
});
