import type { AggregatedHookResult } from '@tenterhook/protocol';

/** The result of an event on which no hook said anything, with the fields that a test names. */
export function resultWith(fields: Partial<AggregatedHookResult> = {}): AggregatedHookResult {
  return {
    success: true,
    verdict: { kind: 'none', stop: false, by: [], stoppedBy: [] },
    changes: [],
    allOutputs: [],
    outcomes: [],
    errors: [],
    totalDuration: 1,
    ...fields,
  };
}
