import type { EventRow, HookBar } from '../../src/api/messages.js';

/** A row with what a test does not care about. */
export function rowOf(fields: Partial<EventRow> = {}): EventRow {
  return {
    n: 0,
    correlationId: 'c-0',
    at: 1_000,
    event: 'BeforeTool',
    run: 1,
    all: 1,
    state: 'answered',
    verdict: 'none',
    durationMs: 10,
    hooks: [],
    ...fields,
  };
}

export function hookOf(fields: Partial<HookBar> = {}): HookBar {
  return { hookId: 'llxprt/project/0.0', dialect: 'llxprt', stage: 0, status: 'succeeded', startMs: 0, endMs: 10, ...fields };
}
