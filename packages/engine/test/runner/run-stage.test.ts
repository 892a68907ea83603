import type { HookOutput } from '@tenterhook/protocol';
import fc from 'fast-check';
import { applyRewrites } from '../../src/aggregator/rewrites.js';
import { runStage } from '../../src/runner/run-stage.js';
import { eventOf, FakeExecutor, fakeDialect, hookOf, listenTo, type Run, toolEvent } from '../engine-rig.js';

function surroundings() {
  const executor = new FakeExecutor();
  const happened: string[] = [];
  const report = listenTo({
    started: ({ hook }) => happened.push(`started ${hook.id}`),
    finished: ({ hook, outcome, late }) =>
      happened.push(
        `finished ${hook.id} ${outcome.status}${late ? ' late' : ''} ${outcome.warnings.map((warning) => warning.code)}`.trim(),
      ),
    'circuit-changed': ({ hook, state }) => happened.push(`circuit ${hook.id} ${state}`),
  });
  const [event, dispose] = [new AbortController(), new AbortController()];
  const context = {
    dialects: [fakeDialect()],
    executors: new Map([['call', executor]]),
    environment: () => ({}),
    signal: event.signal,
    disposeSignal: dispose.signal,
    report,
  };
  return { executor, happened, context, event, dispose };
}

test('hooks of a stage run at once, and have outcomes in plan order, whichever ends first', async () => {
  const { executor, happened, context } = surroundings();
  const outcomes = runStage({ hooks: [hookOf('a'), hookOf('b')] }, toolEvent, toolEvent, context);
  const [a, b] = [await executor.next(), await executor.next()];
  b.answer({ systemMessage: 'b' });
  await Promise.resolve();
  a.answer({ systemMessage: 'a' });
  expect((await outcomes).map((outcome) => outcome.output?.systemMessage)).toEqual(['a', 'b']);
  expect(happened).toEqual(['started a', 'started b', 'finished b succeeded', 'finished a succeeded']);
});

test('each hook of a stage sees the input as rewritten by the stages before it', async () => {
  const { executor, context } = surroundings();
  const current = eventOf('BeforeTool', { tool_name: 'write_file', tool_input: { path: 'b.txt' } });
  const outcomes = runStage({ hooks: [hookOf('a')] }, toolEvent, current, context);
  const run = await executor.next();
  expect(run.input).toBe(current.input);
  run.answer();
  await outcomes;
});

test('a rewrite cannot slip past a guard: a match on the original or on the current input runs it', async () => {
  const { executor, context } = surroundings();
  const [original, renamed] = [toolEvent, eventOf('BeforeTool', { tool_name: 'read_file', tool_input: {} })];
  const stage = { hooks: [hookOf('w', { matcher: 'write' }), hookOf('r', { matcher: 'read' }), hookOf('x', { matcher: 'exec' })] };
  const outcomes = runStage(stage, original, renamed, context);
  for (const run of [await executor.next(), await executor.next()]) run.answer();
  expect((await outcomes).map((outcome) => [outcome.hookId, outcome.status, outcome.skipReason])).toEqual([
    ['w', 'succeeded', undefined],
    ['r', 'succeeded', undefined],
    ['x', 'skipped', 'matcher'],
  ]);
});

test('an async hook is not waited for, and what it says late changes nothing (decision 41)', async () => {
  const { executor, happened, context } = surroundings();
  const outcomes = await runStage({ hooks: [hookOf('a', { async: true })] }, toolEvent, toolEvent, context);
  expect(outcomes).toMatchObject([{ hookId: 'a', status: 'detached', warnings: [] }]);
  const run = await executor.next();
  run.answer({ decision: 'deny', reason: 'too late' });
  await new Promise(setImmediate);
  expect(happened).toEqual(['started a', 'finished a blocked late late_answer']);
});

test('an async hook outlives its event, and ends with the system', async () => {
  const { executor, happened, context, event, dispose } = surroundings();
  await runStage({ hooks: [hookOf('a', { async: true })] }, toolEvent, toolEvent, context);
  await executor.next();
  event.abort();
  await new Promise(setImmediate);
  expect(happened).toEqual(['started a']);
  dispose.abort();
  await new Promise(setImmediate);
  expect(happened).toEqual(['started a', 'finished a cancelled late cancelled']);
});

const written = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat(3)), { minLength: 1, maxLength: 5 });

test('what parallel hooks rewrite does not depend on who ends first (field failure 69)', async () => {
  const stateAfter = async (list: readonly Record<string, number>[], order: readonly number[]) => {
    const { executor, context } = surroundings();
    const hooks = list.map((_, index) => hookOf(`h${index}`));
    const outcomes = runStage({ hooks }, toolEvent, toolEvent, context);
    const runs: Run[] = [];
    for (const _ of hooks) runs.push(await executor.next());
    for (const index of order) {
      const output: HookOutput = { hookSpecificOutput: { tool_input: list[index] as Record<string, number> } };
      runs[index]?.answer(output);
      await new Promise(setImmediate);
    }
    return applyRewrites({ event: toolEvent, outcomes: [], changes: [] }, await outcomes);
  };
  const shuffled = written.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(
        list.map((_, index) => index),
        { minLength: list.length },
      ),
    ),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, async ([list, order]) => {
      const inOrder = await stateAfter(
        list,
        list.map((_, index) => index),
      );
      expect(await stateAfter(list, order)).toEqual(inOrder);
    }),
    { numRuns: 50 },
  );
});
