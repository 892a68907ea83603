import type { AggregatedHookResult } from '@tenterhook/protocol';

const result: AggregatedHookResult = Object.freeze({
  success: true,
  verdict: Object.freeze({
    kind: 'none' as const,
    stop: false,
    by: Object.freeze([]) as unknown as string[],
    stoppedBy: Object.freeze([]) as unknown as string[],
  }),
  changes: Object.freeze([]) as unknown as [],
  allOutputs: Object.freeze([]) as unknown as [],
  outcomes: Object.freeze([]) as unknown as [],
  errors: Object.freeze([]) as unknown as [],
  totalDuration: 0,
});

/** The answer of an event without hooks: one promise for all, so that the agent's path allocates nothing. */
export const noHooks: Promise<AggregatedHookResult> = Promise.resolve(result);
