import type { HookEventHandler } from '@tenterhook/engine';
import type { HandlerEvent, HookEngine, HookHandler, HookResult, PreToolUseEvent, ToolArgs } from '@tenterhook/handlers';
import type { AggregatedHookResult } from '@tenterhook/protocol';
import { withEndingHooks } from '../support/fire-hooks.js';

/** Runs an event through an engine and returns the result in the form of `fire`. */
export type Fire = (engine: HookEngine, event: HandlerEvent) => Promise<HookResult>;

/** The engine alone, and the same engine as the only source of hooks of an agent. Both must have the same results. */
export const ways: [way: string, fire: Fire][] = [
  ['engine.fire', (engine, event) => engine.fire(event)],
  ['an agent', async (engine, event) => meaningOf(await fireByAgent(engine, event), event)],
];

export function fireByAgent(engine: HookEngine, event: HandlerEvent): Promise<AggregatedHookResult> {
  const { session_id: sessionId } = event.payload;
  const advanced = 'working_directory' in event.payload ? { cwd: event.payload.working_directory } : {};
  return withEndingHooks({ settings: {}, handlers: [engine], sessionId, advanced }, ({ handler }) => fireCanonical(handler, event));
}

/** Fires the canonical event for an event of handlers. */
export function fireCanonical(handler: HookEventHandler, { event_type, payload }: HandlerEvent): Promise<AggregatedHookResult> {
  switch (event_type) {
    case 'pre_tool_use':
      return handler.fireBeforeToolEvent(payload.tool, payload.args);
    case 'post_tool_use': {
      const { success, output, exit_code } = payload.result;
      const response = { llmContent: output, ...(success ? {} : { error: { message: 'it failed' } }), exit_code };
      return handler.fireAfterToolEvent(payload.tool, payload.args, response);
    }
    case 'generate_start':
      return handler.fireBeforeModelEvent({ model: payload.model_name, messages: [{ role: 'user', content: payload.prompt }] });
    case 'generate_end':
      return handler.fireAfterModelEvent({ messages: [{ role: 'user', content: payload.prompt }] }, { text: payload.response_text });
    case 'session_start':
      return handler.fireSessionStartEvent('startup');
    case 'session_end':
      return handler.fireSessionEndEvent('exit');
  }
}

/** Converts the aggregated result of a `pre_tool_use` event into the form of `fire`. Also checks that Continue is never an allow. */
export function meaningOf(result: AggregatedHookResult, { event_type }: Pick<HandlerEvent, 'event_type'>): HookResult {
  const { verdict, outcomes, finalOutput } = result;
  const warnings = outcomes.flatMap(({ name = '', warnings: own }) => own.map((warning) => ({ hook_id: name, ...warning })));
  if (verdict.kind === 'deny') {
    expect(verdict.by).toHaveLength(1);
    if (verdict.retryAfterMs !== undefined) return { action: 'Retry', retry_delay_ms: verdict.retryAfterMs, warnings };
    return { action: 'Block', reason: verdict.reason ?? '', warnings };
  }
  expect(verdict).toEqual({ kind: 'none', stop: false, by: [], stoppedBy: [] });
  const modified = event_type === 'pre_tool_use' ? finalOutput?.hookSpecificOutput?.['tool_input'] : undefined;
  return { action: 'Continue', ...(modified === undefined ? {} : { modified: modified as ToolArgs }), warnings };
}

/** The event of the acceptance list, with other fields where a case gives them. */
export function toolUse(fields: Partial<PreToolUseEvent> = {}): HandlerEvent<'pre_tool_use'> {
  const payload = { session_id: 's1', tool: 'Bash', args: { command: 'ls' }, working_directory: '/srv/app', recent_tools: [], ...fields };
  return { event_type: 'pre_tool_use', payload };
}

/** A handler that records what it receives, and always answers the same. */
export function remembering(answer?: Awaited<ReturnType<HookHandler['handle']>>) {
  // biome-ignore lint/suspicious/noExplicitAny: as handlers that are registered under an id see it.
  const seen: any[] = [];
  return {
    seen,
    handle: ({ payload }: { payload: unknown }) => {
      seen.push(payload);
      return answer;
    },
  };
}

export function codesOf({ warnings }: HookResult): string[] {
  return warnings.map(({ code }) => code);
}
