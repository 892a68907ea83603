import { aggregatedHookResultSchema, type HookOutcome, type Plan } from '@tenterhook/protocol';
import { aggregate, aggregateIdle } from '../../src/aggregator/aggregate.js';
import { applyRewrites } from '../../src/aggregator/rewrites.js';
import { hookOf, outcomeOf, toolEvent } from '../engine-rig.js';

const [a, b, c, d] = [
  hookOf('a'),
  hookOf('b', { name: 'second' }),
  hookOf('c'),
  hookOf('d', { action: { kind: 'command', command: 'x.sh' } }),
];

const plan: Plan = {
  order: [a, b, c, d],
  stages: [{ hooks: [c] }, { hooks: [a] }, { hooks: [d] }],
  skipped: [{ hook: b, skipReason: 'duplicate', reason: 'The same command is configured as a and runs once, there.', duplicateOf: 'a' }],
};

const aggregated = (outcomes: readonly HookOutcome[], totalDuration = 5) =>
  aggregate(plan, applyRewrites({ event: toolEvent, outcomes: [], changes: [] }, outcomes), totalDuration);

test('every configured hook has an outcome in plan order: those that ran, the skipped, and those behind the end of the chain', () => {
  const result = aggregated([outcomeOf('c'), outcomeOf('a', { decision: 'deny', reason: 'no' })]);
  expect(result.outcomes).toMatchObject([
    { hookId: 'a', status: 'blocked' },
    {
      hookId: 'b',
      name: 'second',
      status: 'skipped',
      skipReason: 'duplicate',
      duplicateOf: 'a',
      durationMs: 0,
      warnings: [{ code: 'duplicate' }],
    },
    { hookId: 'c', status: 'succeeded' },
    { hookId: 'd', command: 'x.sh', status: 'skipped', skipReason: 'chain-ended', warnings: [] },
  ]);
  expect(result.allOutputs).toEqual([{ decision: 'deny', reason: 'no' }]);
});

test('the diagnostic of an invalid hook is the warning of its outcome', () => {
  const invalid = hookOf('x', { skip: { skipReason: 'invalid', reason: 'r', warning: { code: 'unknown_type', message: 'm' } } });
  const { result } = aggregateIdle({ order: [invalid], stages: [], skipped: [{ hook: invalid, skipReason: 'invalid', reason: 'r' }] });
  expect(result.outcomes).toMatchObject([{ status: 'skipped', skipReason: 'invalid', warnings: [{ code: 'unknown_type', message: 'm' }] }]);
});

const health: Record<string, [Partial<HookOutcome>, boolean]> = {
  'a hook that succeeded is healthy': [{ status: 'succeeded' }, true],
  'a deny with exit 0 is healthy': [{ status: 'blocked', exitCode: 0 }, true],
  'a deny of a handler, which has no exit code, is healthy': [{ status: 'blocked' }, true],
  'an intended exit 2 is not': [{ status: 'blocked', exitCode: 2 }, false],
  'a failure is not': [{ status: 'failed', exitCode: 1 }, false],
  'a timeout is not': [{ status: 'timed-out' }, false],
  'a lost turn is not': [{ status: 'cancelled' }, false],
  'an async hook does not count': [{ status: 'detached' }, true],
};

test.each(Object.entries(health))('success: %s', (_, [fields, expected]) => {
  expect(aggregated([outcomeOf('c'), outcomeOf('a', undefined, fields), outcomeOf('d')]).success).toBe(expected);
});

test('each outcome that failed, timed out or was cancelled is an error; one that blocked or was skipped is none', () => {
  const failed = outcomeOf('a', undefined, {
    status: 'failed',
    exitCode: 1,
    warnings: [
      { code: 'exit_code', message: 'broke' },
      { code: 'decision_ignored', message: 'x' },
    ],
  });
  const late = outcomeOf('c', undefined, { status: 'timed-out', warnings: [{ code: 'timeout', message: 't' }] });
  const blocked = outcomeOf('d', { decision: 'deny' }, { exitCode: 2, warnings: [{ code: 'decision_ignored', message: 'x' }] });
  expect(aggregated([late, failed, blocked]).errors).toEqual([
    { code: 'exit_code', message: 'broke', hookId: 'a' },
    { code: 'timeout', message: 't', hookId: 'c' },
  ]);
});

test('the duration is the one it is given, and the result is what the protocol says', () => {
  const result = aggregated([outcomeOf('a', { hookSpecificOutput: { tool_input: { x: 1 } } }), outcomeOf('c'), outcomeOf('d')], 12.5);
  expect(result.totalDuration).toBe(12.5);
  expect(aggregatedHookResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(JSON.parse(JSON.stringify(result)));
  expect(result.changes).toEqual([{ path: 'tool_input.x', hookId: 'a', after: 1 }]);
});

test('a plan in which nothing runs has outcomes and no output', () => {
  const { result } = aggregateIdle({ order: [a], stages: [], skipped: [{ hook: a, skipReason: 'matcher', reason: 'r' }] });
  expect(result).toEqual({
    success: true,
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: [
      {
        hookId: 'a',
        eventName: 'BeforeTool',
        source: 'user',
        dialect: 'fake',
        status: 'skipped',
        skipReason: 'matcher',
        durationMs: 0,
        warnings: [],
      },
    ],
    errors: [],
    totalDuration: 0,
  });
});
