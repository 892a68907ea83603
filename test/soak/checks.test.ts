import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import { findLeftovers } from '../../soak/src/checks/find-leftovers.js';
import { RequestLog } from '../../soak/src/checks/request-log.js';
import { findPrivateDirectories, takeResourceSnapshot } from '../../soak/src/checks/resource-snapshot.js';
import type { Intent } from '../../soak/src/checks/sent-request.js';
import { Violations } from '../../soak/src/checks/violations.js';
import { planEvent } from '../../soak/src/load/event-plan.js';
import { hookKinds } from '../../soak/src/load/hook-kinds/hook-kinds.js';
import { type ConfiguredHook, makeRound, type Round } from '../../soak/src/load/settings-round.js';

test('a seed chooses the same settings and events again, and another one others', () => {
  const choices = (seed: number) =>
    JSON.stringify([1, 2, 3].map((number) => ({ ...planEvent(seed, number), settings: makeRound(seed, number).settings })));
  expect(choices(7)).toBe(choices(7));
  expect(choices(8)).not.toBe(choices(7));
});

test('there are more than twenty kinds of hooks, each of another name', () => {
  expect(new Set(hookKinds.map((kind) => kind.name)).size).toBe(hookKinds.length);
  expect(hookKinds.filter((kind) => kind.isHostile).length).toBeGreaterThan(20);
});

describe('what is wrong is found', () => {
  const intent: Intent = { number: 1, eventName: 'BeforeTool', how: 'test', codes: [] };
  const hookId = 'llxprt/settings/BeforeTool/deny-by-exit-2@3.1';
  const none = { kind: 'none', stop: false, by: [], stoppedBy: [] };
  const blocked = {
    hookId,
    name: 'deny-by-exit-2@3.1',
    eventName: 'BeforeTool',
    source: 'settings',
    dialect: 'llxprt',
    status: 'blocked',
    exitCode: 2,
    durationMs: 1,
    output: { decision: 'deny', reason: 'no' },
    warnings: [],
  };
  const denied = { ...none, kind: 'deny', reason: 'no', by: [hookId] };

  /** A request log on a bus that gives this answer, with one hook in the settings. */
  function requestLogFor(answer: unknown, hook: Partial<ConfiguredHook> = {}) {
    const violations = new Violations();
    const bus = new MessageBus();
    bus.respond('HOOK_EXECUTION_REQUEST', () => answer as never);
    const requestLog = new RequestLog(bus, () => [roundOf(hook)], violations);
    const request = (sent: Intent = intent) =>
      requestLog.send(sent, () =>
        bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } }),
      ).result;
    return { bus, requestLog, violations, request, found: () => violations.first.map(({ what }) => what) };
  }

  function roundOf(hook: Partial<ConfiguredHook>): Round {
    const kind = hookKinds.find((candidate) => candidate.name === 'deny-by-exit-2');
    const usual = { onError: 'continue', timeoutMs: 100, hasMatcher: false, isDisabled: false, isInvalid: false, copies: 1 };
    const round = makeRound(0, 3);
    return { ...round, hooks: { ...round.hooks, BeforeTool: [{ name: blocked.name, kind, ...usual, ...hook } as ConfiguredHook] } };
  }

  const result = (outcomes: object[], verdict: object) => ({ success: true, output: { outcomes, verdict, success: false } });

  test('and what is right is not', async () => {
    const { request, requestLog, found } = requestLogFor(result([blocked], denied));
    await request();
    requestLog.close();
    expect(found()).toEqual([]);
    expect(requestLog.ends.toJSON()).toEqual({ success: 1 });
  });

  test.each<[string, unknown, Partial<ConfiguredHook>, RegExp]>([
    ['a lost deny', result([blocked], none), {}, /^a deny was lost: the verdict is "none"$/],
    ['a deny from nowhere', result([{ ...blocked, status: 'succeeded', output: {} }], denied), {}, /no hook denied/],
    ['a denier that is not named', result([blocked], { ...denied, by: ['other'] }), {}, /does not name it/],
    ['a guard that let go', result([{ ...blocked, status: 'succeeded', output: {} }], none), {}, /may only end as blocked \(succeeded/],
    ['a cancelled outcome without a cancel', result([{ ...blocked, status: 'cancelled' }], none), {}, /without a cancel/],
    ['a failure that was not closed', result([{ ...blocked, status: 'cancelled' }], none), { onError: 'block' }, /failedClosed is false/],
    ['a hook that is disabled and ran', result([blocked], denied), { isDisabled: true }, /it ran, and must not/],
    ['a skip without a reason', result([{ ...blocked, status: 'skipped', skipReason: 'matcher' }], none), {}, /for the wrong reason/],
    ['a missing outcome', result([], none), {}, /not those of the settings 3: none/],
    ['an outcome of other settings', result([{ ...blocked, name: 'deny-by-exit-2@4.1' }], denied), {}, /not those of the settings 3/],
    ['an outcome of another event', result([{ ...blocked, eventName: 'AfterTool' }], denied), {}, /an outcome of another event/],
    [
      'an error that cannot be',
      { success: false, error: { code: 'internal_error', message: 'oh' } },
      {},
      /the error is "internal_error": oh/,
    ],
    ['what JSON does not carry', result([{ ...blocked, durationMs: new Date(0) }], denied), {}, /durationMs is a Date/],
  ])('%s', async (_name, answer, hook, expected) => {
    const { request, found } = requestLogFor(answer, hook);
    await request();
    expect(found().join('\n')).toMatch(expected);
  });

  test('a second answer, an answer to nothing, and a request that was not sent', async () => {
    const { bus, request, found } = requestLogFor(result([blocked], denied));
    const { correlationId } = await request();
    bus.publish({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId, success: true } });
    bus.publish({ type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId: 'other', success: true } });
    await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'ls', tool_input: {} } });
    expect(found()).toEqual([
      `the request ${correlationId} was answered twice`,
      'a response (success) to a request that was never sent',
      'a request that was not sent',
      'a response (success) to a request that was never sent',
    ]);
  });

  test('a request that is never answered, and a malformed one that is not', () => {
    const { bus, requestLog, request, found } = requestLogFor(new Promise(() => {}));
    void request();
    requestLog.send({ ...intent, isRefused: true }, () => bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'x' } }));
    requestLog.close();
    expect(found()).toEqual(['it was never answered', expect.stringContaining('malformed')]);
  });

  test('a hook that begins twice', async () => {
    const { bus, requestLog, request, found } = requestLogFor(new Promise(() => {}));
    const correlationIds: string[] = [];
    bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => correlationIds.push(payload.correlationId ?? ''));
    void request();
    const started = {
      kind: 'hook-started',
      correlationId: correlationIds[0] ?? '',
      eventName: 'BeforeTool',
      elapsedMs: 0,
      hookId,
      timeoutMs: 1,
    } as const;
    bus.publish({ type: 'HOOK_EXECUTION_PROGRESS', payload: started });
    bus.publish({ type: 'HOOK_EXECUTION_PROGRESS', payload: started });
    expect(found()).toEqual([`${hookId} started twice`]);
    expect(requestLog.inFlight).toBe(1);
  });

  test.each([
    [
      'a process that was left behind',
      {},
      { processes: 1, daemons: 0 },
      [expect.stringMatching(/^the process \d+ was left behind: sleep 300$/)],
    ],
    ['but not one that was left on purpose', { SOAK_DAEMON: '1' }, { processes: 0, daemons: 1 }, []],
  ])('%s; either is ended', async (_name, env, expected, faults) => {
    const id = globalThis.crypto.randomUUID();
    const violations = new Violations();
    const before = {
      descriptors: 1000,
      heapBytes: Number.MAX_SAFE_INTEGER,
      handles: { ...(await takeResourceSnapshot(() => {})).handles, ProcessWrap: 100 },
    };
    const child = spawn('sleep', ['300'], { env: { ...process.env, ...env, SOAK_TEST: id }, stdio: 'ignore' });
    const gone = once(child, 'exit');
    await once(child, 'spawn');
    const search = { mark: `SOAK_TEST=${id}`, before, earlierDirectories: [], collectGarbage: () => {}, violations, patienceMs: 0 };
    expect(await findLeftovers(search)).toMatchObject(expected);
    expect(violations.first.map(({ what }) => what).filter((what) => what.includes('process'))).toEqual(faults);
    await gone;
  });

  test('a private directory that was left behind, but not one that an earlier process with the same pid left', async () => {
    const create = () => mkdtempSync(join(tmpdir(), `tenterhook-${process.pid}-`));
    const earlier = create();
    const earlierDirectories = findPrivateDirectories();
    const own = create();
    try {
      const violations = new Violations();
      const before = await takeResourceSnapshot(() => {});
      const search = { mark: 'SOAK_TEST=nothing', before, earlierDirectories, collectGarbage: () => {}, violations, patienceMs: 0 };
      await findLeftovers(search);
      const found = violations.first.map(({ what }) => what).filter((what) => what.includes('directory'));
      expect(earlierDirectories).toContain(earlier);
      expect(found).toEqual([`the private directory ${own} was left behind`]);
    } finally {
      for (const directory of [earlier, own]) rmSync(directory, { recursive: true });
    }
  });

  test('descriptors and memory that were not let go of', async () => {
    const violations = new Violations();
    const before = { ...(await takeResourceSnapshot(() => {})), descriptors: 0, heapBytes: -(2 ** 40) };
    await findLeftovers({ mark: 'SOAK_TEST=nothing', before, earlierDirectories: [], collectGarbage: () => {}, violations, patienceMs: 0 });
    const whats = violations.first.map(({ what }) => what).join('\n');
    expect(whats).toMatch(/\d+ descriptors are open, 0 were before/);
    expect(whats).toMatch(/the heap has \d+ bytes/);
  });
});
