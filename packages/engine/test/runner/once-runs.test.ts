import type { HookDefinition, HookExecutionProgress } from '@tenterhook/protocol';
import { HookSystem } from '../../src/hook-system.js';
import { OnceRuns } from '../../src/runner/once-runs.js';
import { FakeExecutor, fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

const greeting = hookOf('greeting', { once: true });

describe('what is remembered', () => {
  const runs = (memory: OnceRuns, hook: HookDefinition, sessionId: string) => {
    const run = memory.begin(hook, sessionId);
    run?.started();
    run?.ended();
    return run !== undefined;
  };

  test('a hook runs once in each session, and each hook for itself', () => {
    const memory = new OnceRuns();
    expect([runs(memory, greeting, 's1'), runs(memory, greeting, 's1')]).toEqual([true, false]);
    expect([runs(memory, greeting, 's2'), runs(memory, hookOf('other'), 's1')]).toEqual([true, true]);
    expect([memory.has(greeting, 's1'), memory.has(greeting, 's3')]).toEqual([true, false]);
  });

  test('a run that is about to begin keeps others out, and counts only when it began', () => {
    const memory = new OnceRuns();
    const first = memory.begin(greeting, 's1');
    expect(memory.begin(greeting, 's1')).toBeUndefined();
    first?.ended();
    expect(runs(memory, greeting, 's1')).toBe(true);
  });

  test('of more than 10000 the oldest is forgotten', () => {
    const memory = new OnceRuns();
    for (let number = 0; number <= 10_000; number += 1) runs(memory, greeting, `s${number}`);
    expect([memory.has(greeting, 's0'), memory.has(greeting, 's1'), memory.has(greeting, 's10000')]).toEqual([false, true, true]);
  });
});

describe('in a system', () => {
  const systems: HookSystem[] = [];
  afterEach(async () => {
    for (const system of systems.splice(0)) await system.dispose();
  });

  function systemOf(hook: HookDefinition, more: object = {}) {
    const executor = new FakeExecutor();
    const source = sourceOf([hook]);
    const system = new HookSystem({ projectDir: '/srv/app', dialects: [fakeDialect()], sources: [source], executors: [executor], ...more });
    systems.push(system);
    const fire = (sessionId = 's1', signal?: AbortSignal) =>
      system
        .getEventHandler()
        .fire('BeforeTool', { session_id: sessionId, tool_name: 'write_file', tool_input: {} }, signal === undefined ? {} : { signal });
    const end = async () => (await executor.next()).answer();
    const wouldRun = (sessionId = 's1') => {
      const [hook] = system.explain('BeforeTool', { session_id: sessionId, tool_name: 'write_file', tool_input: {} }).hooks;
      return { wouldRun: hook?.wouldRun, skipReason: hook?.skipReason };
    };
    return { system, source, executor, fire, end, wouldRun };
  }
  const spent = [{ hookId: 'greeting', status: 'skipped', skipReason: 'once', warnings: [] }];

  test('it runs at the first event of a session, and explain shows it', async () => {
    const { fire, end, executor, wouldRun, system } = systemOf(greeting);
    const progress: HookExecutionProgress[] = [];
    expect(wouldRun()).toEqual({ wouldRun: true });
    const first = fire();
    await end();
    expect((await first).outcomes).toMatchObject([{ status: 'succeeded' }]);
    expect(wouldRun()).toEqual({ wouldRun: false, skipReason: 'once' });
    system.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => progress.push(payload));
    const second = await fire();
    expect(second).toMatchObject({ success: true, verdict: { kind: 'none' }, outcomes: spent });
    expect(progress.map(({ kind }) => kind)).toEqual(['planned', 'hook-skipped']);
    expect(wouldRun('s2')).toEqual({ wouldRun: true });
    const other = fire('s2');
    await end();
    expect((await other).outcomes).toMatchObject([{ status: 'succeeded' }]);
    expect(executor.started).toHaveLength(2);
  });

  test('of two events in flight at once one runs it', async () => {
    const { fire, end, executor } = systemOf(greeting);
    const [first, second] = [fire(), fire()];
    expect((await second).outcomes).toMatchObject(spent);
    await end();
    expect((await first).outcomes).toMatchObject([{ status: 'succeeded' }]);
    expect(executor.started).toEqual(['greeting']);
  });

  test('a failure counts, and a run that had no turn does not', async () => {
    const { fire, executor } = systemOf({ ...greeting, onError: 'block' });
    const aborted = await fire('s1', AbortSignal.abort());
    expect(aborted.outcomes).toMatchObject([{ status: 'cancelled', warnings: [{ code: 'not_started' }, { code: 'failed_closed' }] }]);
    const failed = fire();
    (await executor.next()).end({ kind: 'unrunnable', code: 'hook_failed', message: 'm', durationMs: 1 });
    expect((await failed).outcomes).toMatchObject([{ status: 'failed' }]);
    expect(await fire()).toMatchObject({ verdict: { kind: 'none' }, outcomes: spent });
  });

  test('reading the settings again does not make it run again', async () => {
    const { fire, end, source } = systemOf(greeting);
    const first = fire();
    await end();
    await first;
    source.swap([{ ...greeting }]);
    expect((await fire()).outcomes).toMatchObject(spent);
    source.swap([{ ...greeting, id: 'renamed' }]);
    const renamed = fire();
    await end();
    expect((await renamed).outcomes).toMatchObject([{ status: 'succeeded' }]);
  });

  test('one that its circuit leaves out has not run', async () => {
    const circuitBreaker = { failures: 1, windowMs: 60_000, pauseMs: 60_000 };
    const { fire, executor, end, source } = systemOf(greeting, { circuitBreaker });
    const failed = fire('s1');
    (await executor.next()).end({ kind: 'unrunnable', code: 'hook_failed', message: 'm', durationMs: 1 });
    await failed;
    expect((await fire('s2')).outcomes).toMatchObject([{ skipReason: 'circuit-open' }]);
    source.swap([{ ...greeting }]);
    const fixed = fire('s2');
    await end();
    expect((await fixed).outcomes).toMatchObject([{ status: 'succeeded' }]);
  });

  test('an async one counts from its start', async () => {
    const { fire, end } = systemOf({ ...greeting, async: true });
    expect((await fire()).outcomes).toMatchObject([{ status: 'detached' }]);
    expect((await fire()).outcomes).toMatchObject(spent);
    await end();
  });
});
