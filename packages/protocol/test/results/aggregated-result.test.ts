import type { AggregatedHookResult } from '../../src/results/aggregated-result.js';
import { processResult } from '../../src/results/aggregated-result.js';
import { DefaultHookOutput } from '../../src/results/hook-output-classes.js';

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
