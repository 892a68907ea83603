import { jest } from '@jest/globals';
import { type HookCode, type HookDefinition, type HookExecutionProgress, type HookExecutor, processResult } from '@tenterhook/protocol';
import { HookSystem } from '../../../src/hook-system.js';
import type { HookSystemOptions } from '../../../src/system-options.js';
import { fakeDialect, hookOf, sourceOf } from '../../engine-rig.js';

const systems: HookSystem[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const system of systems.splice(0)) await system.dispose();
});

const fire = (system: HookSystem) => system.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' });
const statuses = (result: { outcomes: readonly { status: string }[] }) => result.outcomes.map((outcome) => outcome.status);

/** A hook that fails as often as the test asks, and the clock of the circuit breaker. */
function failing(hook: HookDefinition, more: Partial<HookSystemOptions> = {}) {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  let isMended = false;
  const executor: HookExecutor = {
    kind: 'call',
    run: async (_invocation, _hook, _event, { onStart }) => {
      onStart();
      if (isMended) return { kind: 'answered', answer: { decision: 'allow' }, durationMs: 0 };
      return { kind: 'unrunnable', code: 'hook_failed', message: 'no such directory', durationMs: 0 };
    },
  };
  const circuitBreaker = { failures: 2, windowMs: 60_000, pauseMs: 30_000 };
  const source = sourceOf([hook]);
  const system = new HookSystem({
    projectDir: '/srv/app',
    dialects: [fakeDialect()],
    sources: [source],
    executors: [executor],
    circuitBreaker,
    ...more,
  });
  systems.push(system);
  const progress: HookExecutionProgress[] = [];
  system.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => progress.push(payload));
  return {
    system,
    source,
    kinds: () => progress.splice(0).map((message) => ('state' in message ? `${message.kind} ${message.state}` : message.kind)),
    fix: () => {
      isMended = true;
    },
    at: (nowMs: number) => clock.mockReturnValue(nowMs),
    explained: () => system.explain('BeforeTool', { tool_name: 'write_file' }).hooks[0],
  };
}

test('a hook that keeps failing is left out, tried again, and back when it works: each change is reported once, in the event that caused it', async () => {
  const { system, kinds, at, fix, explained } = failing(hookOf('a'));
  await fire(system);
  expect(kinds()).toEqual(['planned', 'hook-started', 'hook-finished']);
  await fire(system);
  expect(kinds()).toEqual(['planned', 'hook-started', 'hook-finished', 'circuit-changed open']);

  const leftOut = await fire(system);
  expect(leftOut).toMatchObject({
    success: true,
    verdict: { kind: 'none' },
    errors: [],
    outcomes: [{ status: 'skipped', skipReason: 'circuit-open', warnings: [{ code: 'circuit_open' }] }],
  });
  expect(leftOut.finalOutput).toBeUndefined();
  expect(kinds()).toEqual(['planned', 'hook-skipped']);
  expect(explained()).toMatchObject({ wouldRun: false, skipReason: 'circuit-open', reason: expect.stringContaining('failed 2 times') });

  at(30_000);
  fix();
  expect(explained()).toMatchObject({ wouldRun: true });
  expect(await fire(system)).toMatchObject({ success: true, verdict: { kind: 'allow' } });
  expect(kinds()).toEqual(['planned', 'circuit-changed half-open', 'hook-started', 'hook-finished', 'circuit-changed closed']);
});

test('a guard that is skipped denies, and everything that is derived from it reports the deny', async () => {
  const guard = hookOf('guard', { name: 'guard', onError: 'block' });
  const { system } = failing(guard);
  for (const _ of [1, 2]) await fire(system);
  const result = await fire(system);
  expect(result).toMatchObject({
    success: false,
    verdict: { kind: 'deny', stop: false, by: ['guard'] },
    outcomes: [{ status: 'skipped', skipReason: 'circuit-open', failedClosed: true }],
    errors: [{ code: 'circuit_open', hookId: 'guard' }],
  });
  expect(result.verdict.reason).toMatch(/^BeforeTool hook "guard" denies .*failed 2 times within 60000 ms.*no such directory/);
  expect(result.finalOutput?.isBlockingDecision()).toBe(true);
  expect(processResult(result)).toMatchObject({ shouldStop: false, suppressOutput: false, stopReason: undefined });
});

test('a guard that is left out ends the plan', async () => {
  const { system, source } = failing(hookOf('guard', { onError: 'block', sequential: true }));
  source.swap([hookOf('guard', { onError: 'block', sequential: true }), hookOf('next')]);
  for (const _ of [1, 2]) await fire(system);
  const { outcomes } = await fire(system);
  expect(outcomes.map(({ hookId, skipReason }) => [hookId, skipReason])).toEqual([
    ['guard', 'circuit-open'],
    ['next', 'chain-ended'],
  ]);
});

test('loading the hooks again begins with closed circuits: the user may just have fixed one', async () => {
  const { system, source, explained } = failing(hookOf('a'));
  for (const _ of [1, 2]) await fire(system);
  expect(explained()).toMatchObject({ wouldRun: false });
  source.swap([hookOf('a')]);
  expect(explained()).toMatchObject({ wouldRun: true });
  expect(statuses(await fire(system))).toEqual(['failed']);
});

test('a handler whose process is gone has a pause of its own, and opens no circuit', async () => {
  const absent = fakeDialect({ decode: () => ({ failure: { code: 'handler_absent', message: 'It is gone.' }, warnings: [] }) });
  const { system, fix } = failing(hookOf('a'), { dialects: [absent] });
  fix();
  for (const _ of [1, 2, 3, 4]) {
    const { outcomes } = await fire(system);
    expect(outcomes).toMatchObject([{ status: 'failed', warnings: [{ code: 'handler_absent' }] }]);
  }
});

test('a crash that denies opens no circuit, because operations would then continue; another failure of the hook does', async () => {
  let code: HookCode = 'exit_code';
  const crashing = fakeDialect({ decode: () => ({ failure: { code, message: 'It failed.' }, warnings: [] }) });
  const { system, kinds, fix } = failing(hookOf('a', { deniesOnCrash: true }), { dialects: [crashing] });
  fix();
  for (const _ of [1, 2, 3, 4]) {
    const { verdict, outcomes } = await fire(system);
    expect([verdict.kind, outcomes[0]?.status]).toEqual(['deny', 'failed']);
  }
  expect(kinds()).not.toContain('circuit-changed open');
  code = 'output_truncated';
  for (const _ of [1, 2]) await fire(system);
  expect(kinds()).toContain('circuit-changed open');
});

test('a timeout that denies opens no circuit either', async () => {
  const slow: HookExecutor = {
    kind: 'call',
    run: async (_invocation, _hook, _event, { onStart }) => {
      onStart();
      return { kind: 'timed-out', durationMs: 1000 };
    },
  };
  const { system, kinds } = failing(hookOf('a', { deniesOnTimeout: true }), { executors: [slow] });
  for (const _ of [1, 2, 3, 4]) {
    const { verdict, outcomes } = await fire(system);
    expect([verdict.kind, outcomes[0]?.status]).toEqual(['deny', 'timed-out']);
  }
  expect(kinds()).not.toContain('circuit-changed open');
});

test('an ambiguous input opens no circuit: the author of the input must not be able to switch off a guard', async () => {
  const refusing = fakeDialect({ invocation: () => ({ kind: 'refused', reason: 'It names two files.' }) });
  const { system, kinds } = failing(hookOf('a'), { dialects: [refusing] });
  for (let time = 0; time < 3; time += 1) {
    const { verdict, outcomes } = await fire(system);
    expect(verdict).toMatchObject({ kind: 'deny', by: ['a'] });
    expect(outcomes).toMatchObject([
      { status: 'failed', failedClosed: true, warnings: [{ code: 'ambiguous_input' }, { code: 'failed_closed' }] },
    ]);
  }
  expect(kinds()).not.toContain('circuit-changed open');
});

test.each([
  ['handler', /Fix the handler. It runs again as soon as it is registered again/],
  ['user', /Fix the hook. It runs again as soon as the settings are reloaded/],
])('the remedy for a hook of the source %s is what its author can do', async (source, remedy) => {
  const { system, explained } = failing(hookOf('a', { source }));
  for (const _ of [1, 2]) await fire(system);
  expect(explained()?.reason).toMatch(remedy);
});

test('without a circuit breaker nothing is counted', async () => {
  const { system } = failing(hookOf('a'), { circuitBreaker: undefined } as never);
  for (const _ of [1, 2, 3, 4]) expect(statuses(await fire(system))).toEqual(['failed']);
});
