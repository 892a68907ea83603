import { BeforeToolHookOutput, type HookOutcome } from '@tenterhook/protocol';
import { createFailedResult, readOutcomes, restoreResult } from '../../src/requests/hook-result.js';

const error = { code: 'timeout' as const, message: 'late' };
const outcome: HookOutcome = {
  hookId: 'h',
  eventName: 'BeforeTool',
  source: 'user',
  dialect: 'fake',
  status: 'cancelled',
  durationMs: 0,
  warnings: [],
};

test('a failed request has its code and, where nothing else is known, no opinion', () => {
  expect(createFailedResult({ ...error, details: { outcomes: [outcome] } }, 7)).toEqual({
    success: false,
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: [],
    errors: [error],
    totalDuration: 7,
  });
});

test('what the caller knows of the outcomes so far is in the result', () => {
  const known = { verdict: { kind: 'deny' as const, stop: false, by: ['h'], stoppedBy: [] }, outcomes: [outcome] };
  expect(createFailedResult(error, 7, known)).toMatchObject(known);
});

test('outcomes are read only where every one is an outcome', () => {
  expect(readOutcomes({ details: { outcomes: [outcome] } })).toEqual([outcome]);
  for (const outcomes of [[outcome, { hookId: 5 }], 'x', undefined]) expect(readOutcomes({ details: { outcomes } })).toBeUndefined();
  expect(readOutcomes({})).toBeUndefined();
});

test('a plain output gets its class back; an instance and a result without output stay the same object', () => {
  const plain = { ...createFailedResult(error, 7), finalOutput: { decision: 'deny' as const } };
  const restored = restoreResult('BeforeTool', plain as never);
  expect(restored.finalOutput).toBeInstanceOf(BeforeToolHookOutput);
  expect(restoreResult('BeforeTool', restored)).toBe(restored);
  const without = createFailedResult(error, 7);
  expect(restoreResult('BeforeTool', without)).toBe(without);
});
