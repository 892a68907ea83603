import type { Exit, HookDefinition } from '@tenterhook/protocol';
import { CircuitBreaker } from '../../../src/runner/circuit/circuit-breaker.js';
import { RanRanks } from '../../../src/runner/ran-ranks.js';
import { runStage, type StageContext } from '../../../src/runner/run-stage.js';
import { FakeExecutor, fakeDialect, hookOf, listenTo, toolEvent } from '../../engine-rig.js';

const crash: Exit = { kind: 'unrunnable', code: 'hook_failed', message: 'no such directory', durationMs: 0 };
const healthy: Exit = { kind: 'answered', answer: undefined, durationMs: 0 };

type HooksOfSet = { readonly hooks: Readonly<Record<string, readonly HookDefinition[]>> };

function surroundings() {
  const executor = new FakeExecutor();
  const happened: string[] = [];
  const clock = { nowMs: 0 };
  const breaker = new CircuitBreaker({ failures: 2, windowMs: 1000, pauseMs: 5000 }, () => clock.nowMs);
  const report = listenTo({
    started: ({ hook }) => happened.push(`started ${hook.id}`),
    finished: ({ hook, outcome: { status }, late }) => happened.push(`finished ${hook.id} ${status}${late ? ' late' : ''}`),
    'circuit-changed': ({ hook, state }) => happened.push(`${state} ${hook.id}`),
  });
  const contextOf = (set: HooksOfSet, signal = new AbortController().signal): StageContext => ({
    dialects: [fakeDialect()],
    executors: new Map([['call', executor]]),
    environment: () => ({}),
    signal,
    disposeSignal: new AbortController().signal,
    report,
    circuits: breaker.of(set),
  });
  const set: HooksOfSet = { hooks: {} };
  /** One event with this hook, which ends so. */
  const run = async (hook: HookDefinition, exit?: Exit, ofSet: HooksOfSet = set) => {
    const outcomes = runStage({ hooks: [hook] }, toolEvent, toolEvent, contextOf(ofSet));
    if (exit !== undefined) (await executor.next()).end(exit);
    return (await outcomes)[0];
  };
  return { executor, happened, clock, contextOf, set, run, taken: () => happened.splice(0) };
}

test('a hook that fails too often is left out, is tried again after the pause, and runs again when that went well', async () => {
  const { clock, run, taken } = surroundings();
  const hook = hookOf('a', { name: 'lint' });
  await run(hook, crash);
  expect(taken()).toEqual(['started a', 'finished a failed']);
  await run(hook, crash);
  expect(taken()).toEqual(['started a', 'finished a failed', 'open a']);

  clock.nowMs = 4000.5;
  const outcome = await run(hook);
  expect(outcome).toEqual({
    hookId: 'a',
    name: 'lint',
    eventName: 'BeforeTool',
    source: 'user',
    level: 'user',
    dialect: 'fake',
    status: 'skipped',
    skipReason: 'circuit-open',
    durationMs: 0,
    warnings: [{ code: 'circuit_open', message: expect.any(String) }],
  });
  expect(outcome?.warnings[0]?.message).toBe(
    'BeforeTool hook "lint" is skipped: it failed 2 times within 1000 ms. The hook is tried again at the first event after 1000 ms. Until then operations continue without the hook. Last failure: BeforeTool hook "lint" could not be run: no such directory. The failure is ignored (onError: continue). To block instead, set "onError": "block". Fix the hook. It runs again as soon as the settings are reloaded.',
  );
  expect(taken()).toEqual([]);

  clock.nowMs = 5000;
  expect(await run(hook, healthy)).toMatchObject({ status: 'succeeded', warnings: [] });
  expect(taken()).toEqual(['half-open a', 'started a', 'finished a succeeded', 'closed a']);
});

test('with onError: block a hook that is left out denies, and the status says that it did not run', async () => {
  const { run } = surroundings();
  const guard = hookOf('a', { name: 'guard', onError: 'block' });
  await run(guard, crash);
  await run(guard, { kind: 'timed-out', durationMs: 1 });
  expect(await run(guard)).toMatchObject({
    status: 'skipped',
    skipReason: 'circuit-open',
    failedClosed: true,
    warnings: [
      { code: 'circuit_open', message: expect.not.stringContaining('Until then') },
      {
        code: 'failed_closed',
        message: expect.stringMatching(/"guard" denies .*onError: block.* failed 2 times .* did not end within 60000 ms/),
      },
    ],
  });
});

test('a failed trial is reported, and the next message has the number of trials', async () => {
  const { clock, run, taken } = surroundings();
  const hook = hookOf('a');
  for (const exit of [crash, crash]) await run(hook, exit);
  for (const [index, nowMs] of [5000, 10_000].entries()) {
    clock.nowMs = nowMs;
    taken();
    await run(hook, crash);
    expect(taken()).toEqual(['half-open a', 'started a', 'finished a failed', 'open a']);
    const again = index === 0 ? 'once' : '2 times';
    expect((await run(hook))?.warnings[0]?.message).toContain(`failed 2 times within 1000 ms, and ${again} when it was tried again.`);
  }
});

test('while the trial runs, other events leave the hook out', async () => {
  const { clock, executor, contextOf, set, run } = surroundings();
  const hook = hookOf('a');
  for (const exit of [crash, crash]) await run(hook, exit);
  clock.nowMs = 5000;
  const first = runStage({ hooks: [hook] }, toolEvent, toolEvent, contextOf(set));
  const trial = await executor.next();
  expect(await run(hook)).toMatchObject({
    status: 'skipped',
    skipReason: 'circuit-open',
    warnings: [{ message: expect.stringContaining('The hook is being tried again now.') }],
  });
  trial.end(healthy);
  expect((await first)[0]).toMatchObject({ status: 'succeeded' });
  expect(executor.started).toEqual(['a', 'a', 'a']);
});

test('what does not fail does not open it: a deny, a cancel, a lost turn', async () => {
  const { run, taken } = surroundings();
  const hook = hookOf('a', { onError: 'block' });
  const ends: Exit[] = [
    { kind: 'answered', answer: { decision: 'deny' }, durationMs: 0 },
    { kind: 'cancelled', durationMs: 0 },
    { kind: 'not-started', message: 'm', durationMs: 0 },
  ];
  for (const exit of [...ends, ...ends, ...ends]) await run(hook, exit);
  expect(taken().filter((line) => line.startsWith('open'))).toEqual([]);
});

test('the next one is the trial where the first was cancelled, and a deny closes', async () => {
  const { clock, run, taken } = surroundings();
  const hook = hookOf('a');
  for (const exit of [crash, crash]) await run(hook, exit);
  clock.nowMs = 5000;
  taken();
  await run(hook, { kind: 'not-started', message: 'm', durationMs: 0 });
  await run(hook, { kind: 'answered', answer: { decision: 'deny' }, durationMs: 0 });
  expect(taken()).toEqual(['half-open a', 'started a', 'finished a cancelled', 'started a', 'finished a blocked', 'closed a']);
});

test('what the machine could not start says nothing about the hook', async () => {
  const { run } = surroundings();
  const refused: Exit = { kind: 'unrunnable', code: 'spawn_failed', message: 'no descriptors are left', durationMs: 0 };
  for (const exit of [refused, refused, refused]) expect(await run(hookOf('a'), exit)).toMatchObject({ status: 'failed' });
  expect(await run(hookOf('a'), healthy)).toMatchObject({ status: 'succeeded' });
});

test('each hook has its own circuit, and each set of hooks its own: a reload begins with closed ones', async () => {
  const { executor, run } = surroundings();
  for (const exit of [crash, crash]) await run(hookOf('a'), exit);
  expect(await run(hookOf('b'), healthy)).toMatchObject({ status: 'succeeded' });
  expect(await run(hookOf('a'))).toMatchObject({ skipReason: 'circuit-open' });
  expect(await run(hookOf('a'), healthy, { hooks: {} })).toMatchObject({ status: 'succeeded' });
  expect(await run(hookOf('a'))).toMatchObject({ skipReason: 'circuit-open' });
  expect(executor.started).toEqual(['a', 'a', 'b', 'a']);
});

test('an event that was cancelled has cancelled hooks, also where a circuit is open', async () => {
  const { contextOf, set, run } = surroundings();
  const hook = hookOf('a');
  for (const exit of [crash, crash]) await run(hook, exit);
  const outcomes = await runStage({ hooks: [hook] }, toolEvent, toolEvent, contextOf(set, AbortSignal.abort()));
  expect(outcomes).toMatchObject([{ status: 'cancelled', warnings: [{ code: 'not_started' }] }]);
});

test('async hooks take part; one that is left out does not deny, because its failure would not have', async () => {
  const { executor, clock, run, taken, contextOf, set } = surroundings();
  const hook = hookOf('a', { async: true, onError: 'block' });
  const end = async (exit: Exit) => {
    expect(await run(hook)).toMatchObject({ status: 'detached' });
    (await executor.next()).end(exit);
    await new Promise(setImmediate);
  };
  await end(crash);
  await end(crash);
  expect(taken().slice(-2)).toEqual(['finished a failed late', 'open a']);
  const outcome = await run(hook);
  expect(outcome).toMatchObject({ status: 'skipped', skipReason: 'circuit-open', warnings: [{ code: 'circuit_open' }] });
  expect(outcome).not.toHaveProperty('failedClosed');
  const ofCancelled = await runStage({ hooks: [hook] }, toolEvent, toolEvent, contextOf(set, AbortSignal.abort()));
  expect(ofCancelled).toMatchObject([{ status: 'skipped', skipReason: 'circuit-open' }]);
  clock.nowMs = 5000;
  await end(healthy);
  expect(taken()).toEqual(['half-open a', 'started a', 'finished a succeeded late', 'closed a']);
});

test('a hook that may have been killed is asked again even if its circuit has opened meanwhile', async () => {
  const { executor, contextOf, set, run } = surroundings();
  const guard = hookOf('a');
  const ranRanks = new RanRanks();
  ranRanks.note(hookOf('other', { source: 'project', action: { kind: 'command', command: 'true' } }));
  const outcomes = runStage({ hooks: [guard] }, toolEvent, toolEvent, { ...contextOf(set), ranRanks });
  const killed = await executor.next();
  for (const exit of [crash, crash]) await run(guard, exit);
  expect(await run(guard)).toMatchObject({ skipReason: 'circuit-open' });

  const captured = { stdout: '', stderr: '', stdoutBytes: 0, stderrBytes: 0, stdoutTruncated: false, stderrTruncated: false };
  killed.end({ kind: 'signalled', signal: 'SIGKILL', durationMs: 1, ...captured, invalidUtf8: false });
  (await executor.next()).answer({ decision: 'deny', reason: 'not that' });
  expect(await outcomes).toMatchObject([{ status: 'blocked', warnings: [{ code: 'asked_again' }] }]);
});
