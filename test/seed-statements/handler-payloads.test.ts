import { HookEngine, HookEventType } from '@tenterhook/handlers';
import type { HookEventName } from '@tenterhook/protocol';
import { withHooks } from '../support/fire-hooks.js';

/** What an agent fires, with everything that it can say. */
const full: Readonly<Record<HookEventType, [HookEventName, Record<string, unknown>]>> = {
  pre_tool_use: ['BeforeTool', { tool_name: 'Bash', tool_input: { command: 'ls' }, cwd: '/srv/app', recent_tools: ['Read', 'Write'] }],
  post_tool_use: [
    'AfterTool',
    { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: { llmContent: 'out', exit_code: 3 }, duration_ms: 812 },
  ],
  generate_start: [
    'BeforeModel',
    {
      llm_request: {
        model: 'm-1',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'who is there?' },
          { role: 'model', content: 'me' },
          { role: 'user', content: 'hello' },
        ],
      },
      model_provider: 'acme',
      available_tools: ['Bash'],
    },
  ],
  generate_end: [
    'AfterModel',
    {
      llm_request: { messages: [{ role: 'user', content: 'hello' }] },
      llm_response: { text: 'hi', usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 } },
      tool_calls: [{ name: 'Bash', args: { command: 'ls' } }],
      duration_ms: 7,
    },
  ],
  session_start: ['SessionStart', { source: 'startup', model_provider: 'acme', model_name: 'm-1', system_prompt: 'Be brief.' }],
  session_end: ['SessionEnd', { reason: 'exit', total_tokens: 12, total_tool_calls: 3, duration_ms: 4 }],
};

/** The same with as little as it can say, and a tool that failed. */
const bare: Readonly<Partial<typeof full>> = {
  post_tool_use: ['AfterTool', { tool_name: 'Bash', tool_input: {}, tool_response: { error: { message: 'it broke' } } }],
  generate_start: ['BeforeModel', { llm_request: { messages: [{ role: 'user', content: 'hello' }] } }],
  session_start: ['SessionStart', { source: 'startup' }],
};

const seen = new Map<HookEventType, unknown>();
const seenBare = new Map<HookEventType, unknown>();
beforeAll(async () => {
  const engine = new HookEngine();
  let current = seen;
  for (const type of Object.values(HookEventType)) {
    engine.register({ id: type, event_type: type });
    engine.register_handler(type, {
      handle: ({ event_type, payload }) => {
        current.set(event_type, payload);
      },
    });
  }
  await withHooks({ settings: {}, handlers: [engine], sessionId: 's1' }, async ({ handler }) => {
    for (const [eventName, input] of Object.values(full)) expect((await handler.fire(eventName, input)).success).toBe(true);
    current = seenBare;
    for (const [eventName, input] of Object.values(bare)) expect((await handler.fire(eventName, input)).success).toBe(true);
  });
});

test.each<[citation: string, type: HookEventType, field: string, value: unknown]>([
  ['[002/PreToolUseEvent/session_id]', 'pre_tool_use', 'session_id', 's1'],
  ['[002/PreToolUseEvent/tool]', 'pre_tool_use', 'tool', 'Bash'],
  ['[002/PreToolUseEvent/args]', 'pre_tool_use', 'args', { command: 'ls' }],
  ['[002/PreToolUseEvent/working_directory]', 'pre_tool_use', 'working_directory', '/srv/app'],
  ['[002/PreToolUseEvent/recent_tools]', 'pre_tool_use', 'recent_tools', ['Read', 'Write']],
  ['[002/PostToolUseEvent/session_id]', 'post_tool_use', 'session_id', 's1'],
  ['[002/PostToolUseEvent/tool]', 'post_tool_use', 'tool', 'Bash'],
  ['[002/PostToolUseEvent/args]', 'post_tool_use', 'args', { command: 'ls' }],
  ['[002/PostToolUseEvent/result]', 'post_tool_use', 'result', { success: true, output: 'out', exit_code: 3, duration_ms: 812 }],
  ['[002/PostToolUseEvent/result/success]', 'post_tool_use', 'result.success', true],
  ['[002/PostToolUseEvent/result/output]', 'post_tool_use', 'result.output', 'out'],
  ['[002/PostToolUseEvent/result/exit_code]', 'post_tool_use', 'result.exit_code', 3],
  ['[002/PostToolUseEvent/result/duration_ms]', 'post_tool_use', 'result.duration_ms', 812],
  ['[002/GenerateStartEvent/session_id]', 'generate_start', 'session_id', 's1'],
  ['[002/GenerateStartEvent/prompt]', 'generate_start', 'prompt', 'hello'],
  ['[002/GenerateStartEvent/system_prompt]', 'generate_start', 'system_prompt', 'Be brief.'],
  ['[002/GenerateStartEvent/model_provider]', 'generate_start', 'model_provider', 'acme'],
  ['[002/GenerateStartEvent/model_name]', 'generate_start', 'model_name', 'm-1'],
  ['[002/GenerateStartEvent/available_tools]', 'generate_start', 'available_tools', ['Bash']],
  ['[002/GenerateEndEvent/session_id]', 'generate_end', 'session_id', 's1'],
  ['[002/GenerateEndEvent/prompt]', 'generate_end', 'prompt', 'hello'],
  ['[002/GenerateEndEvent/response_text]', 'generate_end', 'response_text', 'hi'],
  ['[002/GenerateEndEvent/tool_calls]', 'generate_end', 'tool_calls', [{ name: 'Bash', args: { command: 'ls' } }]],
  ['[002/GenerateEndEvent/usage]', 'generate_end', 'usage', { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }],
  ['[002/GenerateEndEvent/usage/prompt_tokens]', 'generate_end', 'usage.prompt_tokens', 10],
  ['[002/GenerateEndEvent/usage/completion_tokens]', 'generate_end', 'usage.completion_tokens', 5],
  ['[002/GenerateEndEvent/usage/total_tokens]', 'generate_end', 'usage.total_tokens', 15],
  ['[002/GenerateEndEvent/duration_ms]', 'generate_end', 'duration_ms', 7],
  ['[002/SessionStartEvent/session_id]', 'session_start', 'session_id', 's1'],
  ['[002/SessionStartEvent/system_prompt]', 'session_start', 'system_prompt', 'Be brief.'],
  ['[002/SessionStartEvent/model_provider]', 'session_start', 'model_provider', 'acme'],
  ['[002/SessionStartEvent/model_name]', 'session_start', 'model_name', 'm-1'],
  ['[002/SessionEndEvent/session_id]', 'session_end', 'session_id', 's1'],
  ['[002/SessionEndEvent/total_tokens]', 'session_end', 'total_tokens', 12],
  ['[002/SessionEndEvent/total_tool_calls]', 'session_end', 'total_tool_calls', 3],
  ['[002/SessionEndEvent/duration_ms]', 'session_end', 'duration_ms', 4],
])('%s a handler of %s reads %s', (_citation, type, field, value) => {
  expect(seen.get(type)).toHaveProperty(field, value);
});

test('[002/PostToolUseEvent/result/success] a handler of post_tool_use reads that a tool failed', () => {
  expect(seenBare.get('post_tool_use')).toHaveProperty('result.success', false);
});

test.each<[citation: string, type: HookEventType, field: string]>([
  ['[002/PostToolUseEvent/result/exit_code]', 'post_tool_use', 'result.exit_code'],
  ['[002/GenerateStartEvent/system_prompt]', 'generate_start', 'system_prompt'],
  ['[002/SessionStartEvent/system_prompt]', 'session_start', 'system_prompt'],
])('%s a handler of %s finds no %s where the agent has none', (_citation, type, field) => {
  expect(seenBare.get(type)).toBeDefined();
  expect(seenBare.get(type)).not.toHaveProperty(field);
});
