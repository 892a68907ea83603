import { jest } from '@jest/globals';
import { codesOf, fireByAgent, toolUse, ways } from './both-ways.js';
import { answering, engineOf } from './one-handler.js';

describe('failures', () => {
  describe.each(ways)('%s', (_, fire) => {
    test('a3s 28: a handler that threw is called again, with a warning', async () => {
      const handler = answering(new Error('disk full'), { action: 'Continue', modified: { x: 1 } });
      const { engine } = engineOf({ max_retries: 1 }, handler.handle);
      const result = await fire(engine, toolUse());
      expect(result).toMatchObject({ action: 'Continue', modified: { x: 1 } });
      expect(result.warnings).toMatchObject([{ code: 'hook_failed', message: expect.stringMatching(/"guard".*disk full.*again/) }]);
    });

    test('a3s 28: a handler that throws, or rejects, is ignored', async () => {
      const rejects = async () => {
        throw new Error('disk full');
      };
      for (const handle of [answering(new Error('disk full')).handle, rejects]) {
        const { engine, later } = engineOf({}, handle);
        const result = await fire(engine, toolUse());
        expect(result.action).toBe('Continue');
        expect(result.warnings).toMatchObject([{ code: 'hook_failed', message: expect.stringMatching(/"guard".*disk full/) }]);
        expect(later.seen).toHaveLength(1);
      }
    });

    test('a3s 29: a guard with onError "block" that adds a note of its own to Continue has not failed', async () => {
      const { engine, later } = engineOf({ onError: 'block' }, answering({ action: 'Continue', colour: 'red' } as never).handle);
      const result = await fire(engine, toolUse());
      expect(result.action).toBe('Continue');
      expect(codesOf(result)).toEqual(['no_effect']);
      expect(later.seen).toHaveLength(1);
    });

    test.each([
      ['throws', new Error('disk full'), /guard.*disk full/],
      ['answers nonsense', { action: 'Maybe' }, /guard.*Maybe/],
    ])('a3s 29: with onError "block", a handler that %s blocks, and the reason names it and the error', async (_what, answer, reason) => {
      const { engine, later } = engineOf({ onError: 'block', max_retries: 1 }, answering(answer).handle);
      expect(await fire(engine, toolUse())).toMatchObject({ action: 'Block', reason: expect.stringMatching(reason) });
      expect(later.seen).toEqual([]);
    });

    test.each([
      ['continue', 'Continue'],
      ['block', 'Block'],
    ] as const)('a3s 30: with onError "%s", a handler that is too late means %s, and its late block nothing', async (onError, action) => {
      let answered: Promise<unknown> | undefined;
      const reasons: unknown[] = [];
      const { engine, later } = engineOf({ timeout_ms: 20, onError }, (_event, { signal }) => {
        const answer = new Promise<{ action: 'Block' }>((resolve) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            resolve({ action: 'Block' });
          });
        });
        answered = answer;
        return answer;
      });
      const result = await fire(engine, toolUse());
      expect(await answered).toEqual({ action: 'Block' });
      expect(reasons).toEqual([expect.stringContaining('timeout')]);
      expect(result.action).toBe(action);
      expect(codesOf(result)[0]).toBe('timeout');
      expect(result.warnings[0]?.message).toMatch(/"guard".*20 ms/);
      expect(later.seen).toHaveLength(onError === 'block' ? 0 : 1);
      if (result.action === 'Block') expect(result.reason).toMatch(/guard.*20 ms/);
    });

    test('a3s 30: a handler that reads its signal only after the deadline finds it aborted', async () => {
      let end = () => {};
      const ended = new Promise<boolean>((resolve) => {
        end = () => resolve(true);
      });
      const { engine } = engineOf({ timeout_ms: 1 }, async (_event, context) => {
        await ended;
        found.push(context.signal.aborted);
      });
      const found: boolean[] = [];
      await fire(engine, toolUse());
      end();
      await ended;
      await undefined;
      expect(found).toEqual([true]);
    });

    test('a3s 30: a handler that rejects after its deadline does no harm', async () => {
      const unhandled: unknown[] = [];
      const listener = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', listener);
      let answered: Promise<never> | undefined;
      const { engine } = engineOf({ timeout_ms: 1 }, (_event, { signal }) => {
        answered = new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
        return answered;
      });
      expect((await fire(engine, toolUse())).action).toBe('Continue');
      await expect(answered).rejects.toThrow('late');
      await new Promise((resolve) => setImmediate(resolve));
      process.off('unhandledRejection', listener);
      expect(unhandled).toEqual([]);
    });

    test('a3s 31: a promise of a block is a block', async () => {
      const { engine } = engineOf({}, async () => ({ action: 'Block', reason: 'no' }));
      expect(await fire(engine, toolUse())).toEqual({ action: 'Block', reason: 'no', warnings: [] });
    });

    test('a3s 31: so is that of a foreign thenable', async () => {
      // biome-ignore lint/suspicious/noThenProperty: what a handler returns may be anything.
      const thenable = { then: (resolve: (value: unknown) => void) => resolve({ action: 'Block', reason: 'no' }) };
      const { engine } = engineOf({}, () => thenable as never);
      expect(await fire(engine, toolUse())).toMatchObject({ action: 'Block', reason: 'no' });
    });

    test('a3s 33: a thenable that throws when it is asked is a handler that threw', async () => {
      const thenable = {
        // biome-ignore lint/suspicious/noThenProperty: what a handler returns may be anything.
        then: () => {
          throw new Error('no promise');
        },
      };
      const { engine } = engineOf({}, () => thenable as never);
      const result = await fire(engine, toolUse());
      expect(result.action).toBe('Continue');
      expect(result.warnings).toMatchObject([{ code: 'hook_failed', message: expect.stringContaining('no promise') }]);
    });

    test.each<[unknown]>([[{ action: 'Maybe' }], [7], ['Block'], [[]], [{}], [{ action: 7 }], [true], [() => ({ action: 'Block' })]])(
      'a3s 33: the answer %p is invalid: a warning, and Continue',
      async (answer) => {
        const { engine, later } = engineOf({}, answering(answer).handle);
        const result = await fire(engine, toolUse());
        expect(result.action).toBe('Continue');
        expect(codesOf(result)).toEqual(['hook_failed']);
        expect(later.seen).toHaveLength(1);
      },
    );

    test.each(['Block', 'Skip', 'Retry'])('a3s 27: what is modified beside %s is not applied, with a warning', async (action) => {
      const { engine } = engineOf({}, answering({ action, modified: { x: 1 }, retry_delay_ms: 0 }).handle);
      const result = await fire(engine, toolUse());
      expect(result).not.toHaveProperty('modified');
      expect(codesOf(result)).toEqual(['rewrite_ignored']);
    });

    test.each<[unknown, string]>([
      [{ action: 'Continue', modified: 'rm' }, 'modified'],
      [{ action: 'Continue', modified: [1] }, 'modified'],
      [{ action: 'Continue', modified: { n: 1n } }, 'read'],
      [
        {
          get action() {
            throw new Error('no');
          },
        },
        'read',
      ],
    ])('a3s 33: an answer that cannot be read is invalid (%#)', async (answer, word) => {
      const { engine } = engineOf({ onError: 'block' }, answering(answer).handle);
      expect(await fire(engine, toolUse())).toMatchObject({ action: 'Block', reason: expect.stringContaining(word) });
    });
  });

  test.each([
    ['timeout', 'timed-out', () => new Promise<never>(() => {})],
    ['a throw', 'failed', answering(new Error('disk full')).handle],
  ])('a3s 30: for an agent, after %s the outcome is %s', async (_, status, handle) => {
    const { engine } = engineOf({ timeout_ms: 5, onError: 'block' }, handle);
    const { outcomes, success, errors, verdict } = await fireByAgent(engine, toolUse());
    expect(outcomes[0]).toMatchObject({ name: 'guard', status, failedClosed: true });
    expect(outcomes[1]).toMatchObject({ status: 'skipped', skipReason: 'chain-ended' });
    expect(success).toBe(false);
    expect(errors).toHaveLength(1);
    expect(verdict).toMatchObject({ kind: 'deny', by: ['handlers/handler/BeforeTool/guard'] });
  });
});

describe('retries', () => {
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
      // Only timers are controlled by the test. The clocks of processes and promises continue.
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
});
