import { BeforeToolHookOutput, type HookOutcome, type Plan, type ResponseError } from '@tenterhook/protocol';
import { type FailureContext, resultOfFailure } from '../../src/fire/failed-result.js';
import { fakeDialect, hookOf, outcomeOf, toolEvent } from '../engine-rig.js';

const error: ResponseError = { code: 'overloaded', message: 'Too much is in flight.' };
const [guard, log, miss] = [hookOf('guard', { onError: 'block', name: 'guard' }), hookOf('log'), hookOf('miss')];
const plan: Plan = {
  order: [guard, miss, log],
  stages: [{ hooks: [guard] }, { hooks: [log] }],
  skipped: [{ hook: miss, skipReason: 'matcher', reason: 'r' }],
};
const situation: FailureContext = { eventName: 'BeforeTool', hooks: [guard, log], dialects: [fakeDialect()], event: toolEvent, plan };
const withOutcomes = (...outcomes: HookOutcome[]): ResponseError => ({
  code: 'timeout',
  message: 'm',
  details: { outcomes: JSON.parse(JSON.stringify(outcomes)) },
});

test('hooks that had no turn deny where their failure blocks, and are never timed out (design §4.6)', () => {
  const result = resultOfFailure(error, situation, 7);
  expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', by: ['guard'], reason: expect.stringContaining('guard') } });
  expect(result.finalOutput?.isBlockingDecision()).toBe(true);
  expect(result.errors).toMatchObject([
    { code: 'overloaded', message: 'Too much is in flight.' },
    { code: 'not_started', hookId: 'guard' },
    { code: 'not_started', hookId: 'log' },
  ]);
});

test('every configured hook has an outcome in plan order, the skipped one too', () => {
  expect(resultOfFailure(error, situation, 7).outcomes).toMatchObject([
    { hookId: 'guard', status: 'cancelled', failedClosed: true },
    { hookId: 'miss', status: 'skipped', skipReason: 'matcher' },
    { hookId: 'log', status: 'cancelled' },
  ]);
});

test('hooks that had no turn allow where their failure does not block', () => {
  const result = resultOfFailure(error, { ...situation, plan: { order: [log], stages: [{ hooks: [log] }], skipped: [] } }, 7);
  expect(result.verdict.kind).toBe('none');
  expect(result.finalOutput).toBeUndefined();
  expect(result.success).toBe(false);
});

test('what had been answered is the verdict, and what had been rewritten stands', () => {
  const outcomes = [
    outcomeOf('log', { hookSpecificOutput: { tool_input: { mode: 'x' } } }),
    outcomeOf('guard', { decision: 'deny', reason: 'no' }),
    outcomeOf('late', undefined, { status: 'cancelled', warnings: [{ code: 'cancelled', message: 'c' }] }),
  ];
  const result = resultOfFailure(withOutcomes(...outcomes), situation, 7);
  expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: ['guard'] });
  expect(result.finalOutput).toBeInstanceOf(BeforeToolHookOutput);
  expect(result.finalOutput?.hookSpecificOutput).toEqual({ tool_input: { path: 'a.txt', mode: 'x' } });
  expect(result.errors.map((entry) => entry.code)).toEqual(['timeout', 'cancelled']);
  expect(result.outcomes.map((outcome) => outcome.hookId)).toEqual(['log', 'guard', 'late']);
});

test('hooks of two stages that wrote one field are in no conflict afterwards', () => {
  const writes = (hookId: string, path: string) => outcomeOf(hookId, { hookSpecificOutput: { tool_input: { path } } });
  const result = resultOfFailure(withOutcomes(writes('guard', 'b'), writes('log', 'c')), situation, 7);
  expect(result.outcomes.flatMap((outcome) => outcome.warnings)).toEqual([]);
  expect(result.changes.map((change) => change.after)).toEqual(['b', 'c']);
});

test('a hook that ran side by side with a redaction and gave back what it was shown does not undo it', () => {
  const writes = (hookId: string, path: string) => outcomeOf(hookId, { hookSpecificOutput: { tool_input: { path } } });
  const sideBySide: Plan = { ...plan, stages: [{ hooks: [guard, log] }] };
  const result = resultOfFailure(withOutcomes(writes('guard', '***'), writes('log', 'a.txt')), { ...situation, plan: sideBySide }, 7);
  expect(result.finalOutput?.hookSpecificOutput).toEqual({ tool_input: { path: '***' } });
});

test.each([{ outcomes: [{ hookId: 5 }] }, { outcomes: 'x' }, {}])(
  'details %j hold no outcomes: then none of the hooks had a turn',
  (details) => {
    expect(resultOfFailure({ ...error, details }, situation, 7).verdict.kind).toBe('deny');
  },
);

test('an event that was never one has a code and nothing else', () => {
  expect(resultOfFailure({ code: 'unsupported_event', message: 'm' }, undefined, 7)).toEqual({
    success: false,
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: [],
    errors: [{ code: 'unsupported_event', message: 'm' }],
    totalDuration: 7,
  });
});

test('an input that no hook could be shown: every hook of the event had no turn, and a guard closes the door', () => {
  const { plan: _plan, event: _event, ...noInput } = situation;
  const result = resultOfFailure({ code: 'validation_failed', message: 'm' }, noInput, 7);
  expect(result).toMatchObject({ success: false, verdict: { kind: 'deny', by: ['guard'] }, totalDuration: 7 });
  expect(result.finalOutput?.isBlockingDecision()).toBe(true);
  expect(result.errors.map((entry) => entry.code)).toEqual(['validation_failed', 'not_started', 'not_started']);
});
