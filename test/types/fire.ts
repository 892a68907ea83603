/** What must and must not compile: `hooks.fire`, `has`, `explain` and `list`. `npm run typecheck` checks this file; it never runs. */

import { type AggregatedHookResult, type HookEventName, type Hooks, isHookEventName, processResult } from 'tenterhook';

/** Compiles only for a value of this type. */
declare function is<Expected>(value: Expected): void;

export async function fieldsOfAnEvent(hooks: Hooks, signal: AbortSignal) {
  await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: { path: 'a.txt' } });
  await hooks.fire(
    'BeforeTool',
    { tool_name: 'search', tool_input: {}, mcp_context: { server_name: 'github' } },
    { signal, timeoutMs: 500 },
  );
  await hooks.fire('BeforeTool', { tool_name: 'edit', tool_input: {}, cwd: '/srv', session_id: 's1', transcript_path: '' });
  await hooks.fire('SessionStart', { source: 'startup' });
  await hooks.fire('BeforeTool', { tool_name: 'edit', tool_input: {} }, { recheck: signal.aborted });
  await hooks.fire('HostStart', {});
  await hooks.fire('Notification', { notification_type: 'idle', message: 'Waiting.', details: {} });
  await hooks.fire('BeforeModel', { llm_request: { messages: [{ role: 'user', content: 'Hi' }] } });
  await hooks.fire('SubagentStop', { agent_type: 'explore', last_assistant_message: 'Done.' });

  // @ts-expect-error There is no such event.
  await hooks.fire('BeforeTol', { tool_name: 'write_file', tool_input: {} });
  // @ts-expect-error A required field is missing.
  await hooks.fire('BeforeTool', { tool_name: 'write_file' });
  // @ts-expect-error The fields are required.
  await hooks.fire('BeforeTool');
  // @ts-expect-error A field has the wrong type.
  await hooks.fire('BeforeTool', { tool_name: 1, tool_input: {} });
  // @ts-expect-error A field is misspelt.
  await hooks.fire('BeforeTool', { tool_name: 'write_file', tool_input: {}, mcp_contxt: { server_name: 'github' } });
  // @ts-expect-error The system sets the time.
  await hooks.fire('SessionStart', { source: 'startup', timestamp: '' });
  // @ts-expect-error A value is not one of those that the event has.
  await hooks.fire('SessionStart', { source: 'start' });
  // @ts-expect-error An option is misspelt.
  await hooks.fire('SessionStart', { source: 'startup' }, { timeout: 500 });

  // A field that the event does not have is passed on; it can be passed in a variable.
  const own = { source: 'startup', window: 3 } as const;
  await hooks.fire('SessionStart', own);
}

export async function nameOfRunTime(hooks: Hooks, name: string, input: Record<string, unknown>) {
  // @ts-expect-error Not every text is the name of an event.
  await hooks.fire(name, input);
  if (isHookEventName(name)) {
    const result = await hooks.fire(name, input);
    is<AggregatedHookResult>(result);
    hooks.explain(name, input);
    hooks.list(name);
  }
}

export async function mergedOutput(hooks: Hooks) {
  const call = { tool_name: 'write_file', tool_input: {} };
  const tool = await hooks.fire('BeforeTool', call);
  is<AggregatedHookResult>(tool);
  processResult(tool);
  is<Record<string, unknown> | undefined>(tool.finalOutput?.getModifiedToolInput());
  is<Record<string, unknown> | undefined>(tool.finalOutput?.hookSpecificOutput?.tool_input);
  is<string | undefined>(tool.finalOutput?.hookSpecificOutput?.additionalContext);
  // @ts-expect-error What a hook added is not a field of the event.
  is<unknown>(tool.finalOutput?.hookSpecificOutput?.theirs);
  // @ts-expect-error The verdict has what the decisions of hooks come to.
  is<string | undefined>(tool.finalOutput?.hookSpecificOutput?.permissionDecisionReason);

  const after = await hooks.fire('AfterTool', { ...call, tool_response: {} });
  is<Record<string, unknown> | undefined>(after.finalOutput?.hookSpecificOutput?.updatedToolOutput);
  // @ts-expect-error Only events before a tool have this method.
  after.finalOutput?.getModifiedToolInput();

  const prompt = await hooks.fire('BeforeAgent', { prompt: 'Hi' });
  is<string | undefined>(prompt.finalOutput?.hookSpecificOutput?.replacedPrompt);

  const model = await hooks.fire('BeforeModel', { llm_request: {} });
  is<string | undefined>(model.finalOutput?.getSyntheticResponse()?.text);
  is<string | undefined>(model.finalOutput?.hookSpecificOutput?.llm_request?.model);

  const worktree = await hooks.fire('WorktreeCreate', { name: 'wt' });
  is<string | undefined>(worktree.finalOutput?.hookSpecificOutput?.worktreePath);
}

export function eventsAndHooks(hooks: Hooks, eventName: HookEventName) {
  is<boolean>(hooks.has(eventName));
  // @ts-expect-error There is no such event.
  hooks.has('BeforeTol');
  hooks.explain('BeforeTool');
  hooks.explain('BeforeTool', { tool_name: 'write_file' });
  // @ts-expect-error A field has the wrong type.
  hooks.explain('BeforeTool', { tool_name: 1 });
  // @ts-expect-error There is no such event.
  hooks.explain('BeforeTol');

  for (const listed of hooks.list()) {
    is<string>(listed.hook.id);
    if (listed.state === 'off') is<string>(listed.reason);
    // @ts-expect-error A hook that is active has no reason to be off.
    else is<string>(listed.reason);
  }
  // @ts-expect-error There is no such event.
  hooks.list('BeforeTol');
}
