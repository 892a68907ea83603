import type { UntypedHookEvent } from '../definition/hook-event.js';

/** The event as the next handler sees it (decision 36), and all that was rewritten so far: arguments are replaced, other fields add up. */
export interface Rewritten {
  readonly event: UntypedHookEvent;
  readonly modified: Readonly<Record<string, unknown>>;
}

export function applyModified(
  event: UntypedHookEvent,
  before: Readonly<Record<string, unknown>> | undefined,
  modified: Readonly<Record<string, unknown>>,
): Rewritten {
  const { event_type, payload } = event;
  switch (event_type) {
    case 'pre_tool_use':
      return { event: { event_type, payload: { ...payload, args: modified } }, modified };
    case 'post_tool_use':
      return {
        event: { event_type, payload: { ...payload, result: { ...payload.result, ...modified } } },
        modified: { ...before, ...modified },
      };
    case 'generate_start':
    case 'generate_end':
    case 'session_start':
    case 'session_end':
      return { event: { event_type, payload: { ...payload, ...modified } }, modified: { ...before, ...modified } };
  }
}
