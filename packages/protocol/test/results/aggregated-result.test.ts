import type { AggregatedHookResult } from '../../src/results/aggregated-result.js';
import { createFailedResult, processResult } from '../../src/results/aggregated-result.js';
import { BeforeToolHookOutput, DefaultHookOutput, restoreResult } from '../../src/results/hook-output-classes.js';
import type { HookOutcome } from '../../src/results/outcome.js';
import { readOutcomes } from '../../src/results/read-response.js';

const empty: AggregatedHookResult = {
  success: true,
  verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
  changes: [],
  allOutputs: [],
  outcomes: [],
  errors: [],
  totalDuration: 0,
};

test('the common fields are read out of the verdict and the merged output', () => {
  const aggregated: AggregatedHookResult = {
    ...empty,
    finalOutput: new DefaultHookOutput({ systemMessage: 'm', suppressOutput: true }),
    verdict: { kind: 'none', stop: true, stopReason: 's', by: [], stoppedBy: ['h'] },
  };
  expect(processResult(aggregated)).toEqual({ aggregated, shouldStop: true, stopReason: 's', systemMessage: 'm', suppressOutput: true });
});

test('a result without an output says nothing', () => {
  expect(processResult(empty)).toEqual({
    aggregated: empty,
    shouldStop: false,
    stopReason: undefined,
    systemMessage: undefined,
    suppressOutput: false,
  });
});

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
  const restored = restoreResult('BeforeTool', plain as AggregatedHookResult);
  expect(restored.finalOutput).toBeInstanceOf(BeforeToolHookOutput);
  expect(restoreResult('BeforeTool', restored)).toBe(restored);
  const without = createFailedResult(error, 7);
  expect(restoreResult('BeforeTool', without)).toBe(without);
});
