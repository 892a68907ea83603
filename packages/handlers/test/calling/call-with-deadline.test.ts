import { jest } from '@jest/globals';
import { DeadlineTimer } from '@tenterhook/runtime/async';
import { callWithDeadline } from '../../src/calling/call-with-deadline.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const never = () => new Promise(() => {});

test('two calls of one deadline, one after the other, each have it whole', async () => {
  const timer = new DeadlineTimer();
  const first = callWithDeadline(never, 100, undefined, timer);
  await jest.advanceTimersByTimeAsync(101);
  expect(await first).toEqual({ kind: 'timed-out' });
  let settled: unknown;
  void Promise.resolve(callWithDeadline(never, 100, undefined, timer)).then((end) => {
    settled = end;
  });
  await jest.advanceTimersByTimeAsync(99);
  expect(settled).toBeUndefined();
  await jest.advanceTimersByTimeAsync(2);
  expect(settled).toEqual({ kind: 'timed-out' });
  timer.end();
  expect(jest.getTimerCount()).toBe(0);
});

test('a late answer does not take the deadline of the call after it', async () => {
  const timer = new DeadlineTimer();
  let answer: (value: unknown) => void = () => {};
  const late = callWithDeadline(() => new Promise((resolve) => (answer = resolve)), 100, undefined, timer);
  await jest.advanceTimersByTimeAsync(101);
  expect(await late).toEqual({ kind: 'timed-out' });
  const next = callWithDeadline(never, 100, undefined, timer);
  answer({ action: 'Block' });
  await jest.advanceTimersByTimeAsync(101);
  expect(await next).toEqual({ kind: 'timed-out' });
  timer.end();
});

test('calls with different deadlines share it too', async () => {
  const timer = new DeadlineTimer();
  expect(await callWithDeadline(async () => 1, 100, undefined, timer)).toEqual({ kind: 'answered', answer: 1 });
  const next = callWithDeadline(never, 5, undefined, timer);
  await jest.advanceTimersByTimeAsync(6);
  expect(await next).toEqual({ kind: 'timed-out' });
  timer.end();
  expect(jest.getTimerCount()).toBe(0);
});

test('after the last call nothing keeps the process alive', async () => {
  const timer = new DeadlineTimer();
  await callWithDeadline(async () => 1, 30_000, undefined, timer);
  timer.end();
  expect(jest.getTimerCount()).toBe(0);
  await callWithDeadline(async () => 1, 30_000, undefined);
  expect(jest.getTimerCount()).toBe(0);
});
