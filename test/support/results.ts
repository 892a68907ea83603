import type { AggregatedHookResult } from '@tenterhook/protocol';

/** The result of an event without any answer of a hook, with the given fields. */
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
