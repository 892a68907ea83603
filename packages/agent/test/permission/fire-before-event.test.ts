import { jest } from '@jest/globals';
import type { AggregatedHookResult, ErrorCode, Verdict, WarningCode } from '@tenterhook/protocol';
import type { HookClient } from '../../src/client/hook-client.js';
import { type BeforeEvent, fireBeforeEvent } from '../../src/permission/fire-before-event.js';

const event: BeforeEvent = { eventName: 'BeforeTool', input: { tool_name: 't', tool_input: {} } };
const putOff = (retryAfterMs: number) => ({ kind: 'deny' as const, reason: 'busy', retryAfterMs });
const failed = (code: ErrorCode | WarningCode) => ({ success: false, errors: [{ code, message: 'late' }] });

function resultOf(verdict: Partial<Verdict>, fields: Partial<AggregatedHookResult> = {}): AggregatedHookResult {
  return {
    success: true,
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [], ...verdict },
    changes: [],
    allOutputs: [],
    outcomes: [],
    errors: [],
    totalDuration: 0,
    ...fields,
  };
}

/** Answers one result after the other, the last one for ever. */
function clientWith(results: readonly AggregatedHookResult[], fields: Partial<HookClient> = {}) {
  const fired: unknown[] = [];
  const client: HookClient = {
    onUnavailable: 'allow',
    has: () => true,
    fire: async (_eventName, input) => {
      fired.push(input);
      return results[Math.min(fired.length, results.length) - 1] as never;
    },
    ...fields,
  };
  return { client, fired };
}

describe('what a verdict means', () => {
  test('without hooks nothing is fired, and there is no result', async () => {
    const { client, fired } = clientWith([resultOf({ kind: 'deny' })], { has: () => false });
    expect(await fireBeforeEvent(client, event)).toEqual({ kind: 'open' });
    expect(fired).toEqual([]);
  });

  test.each<[string, Partial<Verdict>, string]>([
    ['none', {}, 'open'],
    ['allow', { kind: 'allow' }, 'open'],
    ['ask', { kind: 'ask' }, 'ask'],
    ['deny', { kind: 'deny', reason: 'r' }, 'blocked'],
    ['none and stop', { stop: true }, 'stopped'],
    ['allow and stop', { kind: 'allow', stop: true }, 'stopped'],
    ['ask and stop', { kind: 'ask', stop: true }, 'stopped'],
    ['deny and stop', { kind: 'deny', stop: true, retryAfterMs: 1 }, 'stopped'],
  ])('%s', async (_, verdict, kind) => {
    const before = resultOf(verdict);
    expect(await fireBeforeEvent(clientWith([before]).client, event)).toMatchObject({ kind, before });
  });

  test('finalOutput.decision is not the verdict: hooks that said nothing allow nothing and deny nothing', async () => {
    const before = resultOf({}, { finalOutput: { decision: 'deny' } as never });
    expect((await fireBeforeEvent(clientWith([before]).client, event)).kind).toBe('open');
  });

  test('success is not the verdict either: an exit code 2 that was not revoked denies, an unhealthy hook does not', async () => {
    const errors = [{ code: 'exit_code' as const, message: 'm', hookId: 'h' }];
    const before = resultOf({}, { success: false, errors });
    expect((await fireBeforeEvent(clientWith([before], { onUnavailable: 'deny' }).client, event)).kind).toBe('open');
  });

  test('a deny without a reason has one', async () => {
    expect(await fireBeforeEvent(clientWith([resultOf({ kind: 'deny' })]).client, event)).toMatchObject({
      reason: expect.stringMatching(/./),
    });
  });

  test.each<[ErrorCode | WarningCode, Partial<Verdict>, 'allow' | 'deny', string]>([
    ['no_responders', {}, 'allow', 'open'],
    ['no_responders', {}, 'deny', 'blocked'],
    ['unsupported_event', {}, 'allow', 'open'],
    ['invalid_settings', {}, 'allow', 'open'],
    ['timeout', {}, 'allow', 'blocked'],
    ['timeout', { kind: 'allow' }, 'allow', 'blocked'],
    ['timeout', { kind: 'ask' }, 'allow', 'blocked'],
    ['timeout', { kind: 'deny' }, 'allow', 'blocked'],
    ['timeout', { stop: true }, 'allow', 'stopped'],
    ['cancelled', {}, 'allow', 'blocked'],
    ['disposed', {}, 'allow', 'blocked'],
    ['internal_error', {}, 'allow', 'blocked'],
    ['invalid_request', {}, 'allow', 'blocked'],
    ['validation_failed', {}, 'allow', 'blocked'],
  ])('not carried out (%s), with %p and onUnavailable %s: %s', async (code, verdict, onUnavailable, kind) => {
    const { client } = clientWith([resultOf(verdict, failed(code))], { onUnavailable });
    expect((await fireBeforeEvent(client, event)).kind).toBe(kind);
  });

  test('a limit that still holds when the time is over: blocked, with the time of another try', async () => {
    const outcome = { hookId: 'h', eventName: 'BeforeTool', source: 's', dialect: 'd', status: 'cancelled' as const, durationMs: 0 };
    const warnings = [{ code: 'not_started' as const, message: 'h did not run: too many are waiting.' }];
    const before = resultOf({ kind: 'allow' }, { outcomes: [{ ...outcome, limited: true, warnings }] });
    expect(await fireBeforeEvent(clientWith([before]).client, event)).toMatchObject({
      kind: 'blocked',
      reason: 'Not all hooks could run. h did not run: too many are waiting.',
      retryAfterMs: 1000,
    });
  });
});

describe('the wait for another try', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test.each([
    [5, 5],
    [60_000, 60_000],
    [60_001, 60_000],
    [Number.MAX_VALUE, 60_000],
    [Number.POSITIVE_INFINITY, 60_000],
    [0, 0],
  ])('a hook that asks for %d ms gets %d', async (asked, waited) => {
    const { client, fired } = clientWith([resultOf(putOff(asked)), resultOf({})]);
    const permission = fireBeforeEvent(client, event);
    await jest.advanceTimersByTimeAsync(Math.max(0, waited - 1));
    expect(fired).toHaveLength(waited === 0 ? 2 : 1);
    await jest.advanceTimersByTimeAsync(1);
    expect(fired).toEqual([event.input, event.input]);
    expect((await permission).kind).toBe('open');
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each<[number | undefined, number]>([
    [undefined, 4],
    [0, 1],
    [2, 3],
    [-1, 1],
    [Number.NaN, 1],
  ])('maxRetries %p: fired %d times, then blocked with the time', async (maxRetries, times) => {
    const { client, fired } = clientWith([resultOf(putOff(10))]);
    const permission = fireBeforeEvent(client, { ...event, ...(maxRetries === undefined ? {} : { maxRetries }) });
    await jest.advanceTimersByTimeAsync(1000);
    expect(await permission).toMatchObject({ kind: 'blocked', reason: 'busy', retryAfterMs: 10 });
    expect(fired).toHaveLength(times);
  });

  test('an abort during the wait: blocked, and not fired again', async () => {
    const controller = new AbortController();
    const { client, fired } = clientWith([resultOf(putOff(10)), resultOf({})]);
    const permission = fireBeforeEvent(client, { ...event, signal: controller.signal });
    await jest.advanceTimersByTimeAsync(5);
    controller.abort();
    expect(await permission).toMatchObject({ kind: 'blocked', retryAfterMs: 10 });
    expect(fired).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a time without a deny means nothing', async () => {
    const { client, fired } = clientWith([resultOf({ kind: 'ask', retryAfterMs: 10 })]);
    expect((await fireBeforeEvent(client, event)).kind).toBe('ask');
    expect(fired).toHaveLength(1);
  });
});
