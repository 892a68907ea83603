import { jest } from '@jest/globals';
import { codesOf, toolUse, ways } from './both-ways.js';
import { answering, engineOf } from './one-handler.js';

describe.each(ways)('%s', (_, fire) => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('a3s 25: a retry that may not be repeated is the result, at once, and ends the chain', async () => {
    const { engine, later } = engineOf({}, () => ({ action: 'Retry', retry_delay_ms: 50 }));
    expect(await fire(engine, toolUse())).toMatchObject({ action: 'Retry', retry_delay_ms: 50 });
    expect(later.seen).toEqual([]);
  });

  test('a3s 26: a handler is called again after each delay, and its last answer counts', async () => {
    // The clocks of processes and promises run on; only timers stand still until the test says so.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    const handler = answering({ action: 'Retry', retry_delay_ms: 50 }, { action: 'Retry', retry_delay_ms: 50 }, { action: 'Continue' });
    const { engine, later } = engineOf({ max_retries: 2 }, handler.handle);
    const fired = fire(engine, toolUse());
    for (const number of [1, 2]) {
      await handler.called(number);
      await jest.advanceTimersByTimeAsync(49);
      expect(handler.count()).toBe(number);
      await jest.advanceTimersByTimeAsync(1);
    }
    await handler.called(3);
    expect((await fired).action).toBe('Continue');
    expect(handler.count()).toBe(3);
    expect(later.seen).toHaveLength(1);
  });

  test('a3s 26: when the retries are used up, the retry is the result', async () => {
    const handler = answering({ action: 'Retry', retry_delay_ms: 0 });
    const { engine } = engineOf({ max_retries: 2 }, handler.handle);
    expect(await fire(engine, toolUse())).toMatchObject({ action: 'Retry', retry_delay_ms: 0 });
    expect(handler.count()).toBe(3);
  });

  test.each([
    [
      { action: 'retry', delayMs: 50 },
      { action: 'Retry', retry_delay_ms: 50 },
    ],
    [
      { action: 'Retry', retry_delay_ms: null, delayMs: 50 },
      { action: 'Retry', retry_delay_ms: 50 },
    ],
    [{ action: 'retry' }, { action: 'Retry', retry_delay_ms: 1000 }],
    [
      { action: 'block', reason: 'r' },
      { action: 'Block', reason: 'r' },
    ],
    [
      { action: 'continue', modified: { x: 1 } },
      { action: 'Continue', modified: { x: 1 } },
    ],
    [{ action: 'skip' }, { action: 'Continue' }],
    [undefined, { action: 'Continue' }],
    [null, { action: 'Continue' }],
  ])('a3s 27: the answer %j means %j', async (answer, meaning) => {
    const { engine } = engineOf({}, answering(answer).handle);
    expect(await fire(engine, toolUse())).toEqual({ ...meaning, warnings: [] });
  });

  test.each([
    [1e9, 60_000, 'no_effect'],
    [Number.POSITIVE_INFINITY, 60_000, 'no_effect'],
    [-1, 1000, 'wrong_type'],
    [Number.NaN, 1000, 'wrong_type'],
    ['5000', 1000, 'wrong_type'],
  ])('a3s 27: a delay of %p is one of %i ms, with a warning', async (given, delayMs, code) => {
    const { engine } = engineOf({}, answering({ action: 'Retry', retry_delay_ms: given }).handle);
    const result = await fire(engine, toolUse());
    expect(result).toMatchObject({ action: 'Retry', retry_delay_ms: delayMs });
    expect(codesOf(result)).toEqual([code]);
  });
});
