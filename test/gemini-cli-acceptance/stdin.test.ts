import type { HookEventName } from '@tenterhook/protocol';
import { hooksOf, seen, withGemini } from './gemini-hooks.js';

const base = ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp'];
const request = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const tool = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' } };
const response = { llmContent: 'ok', returnDisplay: 'ok' };

/** An event with everything that a host may tell of it, and the fields that Gemini CLI has. */
const events: [HookEventName, input: Record<string, unknown>, told: string[]][] = [
  ['BeforeTool', { ...tool, approval: 'ask', recent_tools: ['x'], tool_use_id: 't1' }, ['tool_name', 'tool_input']],
  ['AfterTool', { ...tool, tool_response: response, duration_ms: 5, tool_use_id: 't1' }, ['tool_name', 'tool_input', 'tool_response']],
  ['BeforeAgent', { prompt: 'p' }, ['prompt']],
  ['AfterAgent', { prompt: 'p', prompt_response: 'r', stop_hook_active: false }, ['prompt', 'prompt_response', 'stop_hook_active']],
  ['BeforeModel', { llm_request: request, model_provider: 'x', available_tools: ['a'] }, ['llm_request']],
  [
    'AfterModel',
    { llm_request: request, llm_response: { text: 'r' }, tool_calls: [], duration_ms: 5, model_provider: 'x' },
    ['llm_request', 'llm_response'],
  ],
  ['BeforeToolSelection', { llm_request: request }, ['llm_request']],
  ['SessionStart', { source: 'compress', model_name: 'm' }, ['source']],
  ['SessionEnd', { reason: 'exit', total_tokens: 5, duration_ms: 5 }, ['reason']],
  ['PreCompress', { trigger: 'auto' }, ['trigger']],
  ['Notification', { notification_type: 'ToolPermission', message: 'm', details: { a: 1 } }, ['notification_type', 'message', 'details']],
];

test.each(events)('%s is told as Gemini CLI tells it, and what the host adds of its own', async (eventName, input, told) => {
  await withGemini(hooksOf(eventName, 'cat > seen.json'), async (scene) => {
    await scene.handler.fire(eventName, { ...input, original_request_name: 'o', of_the_host: 1 });
    const fields = seen(scene);
    expect(Object.keys(fields).sort()).toEqual([...base, ...told, 'of_the_host', 'original_request_name'].sort());
    for (const name of told) expect(fields[name]).toEqual(input[name]);
    expect(fields).toMatchObject({ session_id: 's1', hook_event_name: eventName });
    // One document, and nothing behind it.
    expect(scene.read('seen.json')).toMatch(/\}$/);
  });
});

test.each([
  ['search', { server_name: 'gh' }],
  ['mcp__gh__search', { server_name: 'gh' }],
  ['mcp_gh_search', { server_name: 'gh' }],
  ['mcp__gh__search', undefined],
])('the tool %s of the server %j has the name that Gemini CLI gives it', async (toolName, mcpContext) => {
  await withGemini(hooksOf('BeforeTool', 'cat > seen.json'), async (scene) => {
    await scene.handler.fireBeforeToolEvent(toolName, {}, mcpContext);
    expect(seen(scene)['tool_name']).toBe('mcp_gh_search');
    expect(seen(scene)['mcp_context']).toEqual(mcpContext);
  });
});
