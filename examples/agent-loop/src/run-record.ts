import type { FiredEvent } from './event-table.js';
import type { GenerateContentRequest } from './gen-ai-shape.js';
import type { Operation } from './operation.js';

export interface RunRecord {
  /** Each event and what its hooks decided. Times are left out, so that two runs with the same decisions have the same record. */
  readonly decisions: readonly object[];
  /** What the agent did with each decision. */
  readonly operations: readonly object[];
  /** What the model received. */
  readonly requests: readonly GenerateContentRequest[];
}

export function recordOf(
  events: readonly FiredEvent[],
  operations: readonly Operation[],
  requests: readonly GenerateContentRequest[],
): RunRecord {
  return {
    decisions: events.map(({ eventName, result: { verdict, changes, outcomes } }) => ({
      event: eventName,
      verdict: verdict.kind,
      stop: verdict.stop,
      by: [...verdict.by, ...verdict.stoppedBy],
      changes: changes.map(({ path }) => path),
      hooks: Object.fromEntries(outcomes.map(({ hookId, status, skipReason }) => [hookId, skipReason ?? status])),
    })),
    operations: operations.map(({ kind, subject, status, reason }) => ({ kind, subject, status, reason })),
    requests,
  };
}
