import { HookEngine, HookEventType } from '@tenterhook/handlers';
import type { HookEventName } from '@tenterhook/protocol';
import { withHooks } from '../support/fire-hooks.js';
import { keeping, withHandlers } from './engine-scene.js';

describe('payloads', () => {
  /** Tests what handlers receive of canonical events (decision 71). */

  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'first' },
    { role: 'model', content: 'yes?' },
    { role: 'user', content: 'last' },
  ];
  const calls = [{ name: 'Bash', args: { command: 'ls' } }];
  const usage = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

  type Row = [type: HookEventType, eventName: HookEventName, input: Record<string, unknown>, payload: Record<string, unknown>];

  const full: Row[] = [
    [
      'pre_tool_use',
      'BeforeTool',
      { tool_name: 'Bash', tool_input: { command: 'ls' }, cwd: '/srv/app', recent_tools: ['Read'] },
      { tool: 'Bash', args: { command: 'ls' }, working_directory: '/srv/app', recent_tools: ['Read'] },
    ],
    [
      'post_tool_use',
      'AfterTool',
      {
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_response: { llmContent: 'out', exit_code: 3, error: 'no' },
        duration_ms: 812,
      },
      { tool: 'Bash', args: { command: 'ls' }, result: { success: false, output: 'out', exit_code: 3, duration_ms: 812 } },
    ],
    [
      'generate_start',
      'BeforeModel',
      { llm_request: { model: 'm-1', messages }, model_provider: 'acme', available_tools: ['Bash'] },
      { prompt: 'last', system_prompt: 'Be brief.', model_provider: 'acme', model_name: 'm-1', available_tools: ['Bash'] },
    ],
    [
      'generate_end',
      'AfterModel',
      { llm_request: { messages }, llm_response: { text: 'hi', usageMetadata: usage }, tool_calls: calls, duration_ms: 7 },
      {
        prompt: 'last',
        response_text: 'hi',
        tool_calls: calls,
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        duration_ms: 7,
      },
    ],
    [
      'session_start',
      'SessionStart',
      { source: 'startup', model_provider: 'acme', model_name: 'm-1', system_prompt: 'Be brief.' },
      { model_provider: 'acme', model_name: 'm-1', system_prompt: 'Be brief.' },
    ],
    [
      'session_end',
      'SessionEnd',
      { reason: 'exit', total_tokens: 12, total_tool_calls: 3, duration_ms: 4.5 },
      { total_tokens: 12, total_tool_calls: 3, duration_ms: 4.5 },
    ],
  ];

  const empty: Row[] = [
    [
      'pre_tool_use',
      'BeforeTool',
      { tool_name: '', tool_input: {} },
      { tool: '', args: {}, working_directory: expect.any(String), recent_tools: [] },
    ],
    [
      'post_tool_use',
      'AfterTool',
      { tool_name: '', tool_input: {}, tool_response: {} },
      { tool: '', args: {}, result: { success: true, output: '', duration_ms: 0 } },
    ],
    ['generate_start', 'BeforeModel', { llm_request: {} }, { prompt: '', model_provider: '', model_name: '', available_tools: [] }],
    [
      'generate_end',
      'AfterModel',
      { llm_request: {}, llm_response: {} },
      {
        prompt: '',
        response_text: '',
        tool_calls: [],
        usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
        duration_ms: 0,
      },
    ],
    ['session_start', 'SessionStart', { source: 'startup' }, { model_provider: '', model_name: '' }],
    ['session_end', 'SessionEnd', { reason: 'exit' }, { total_tokens: 0, total_tool_calls: 0, duration_ms: expect.any(Number) }],
  ];

  const odd: Row[] = [
    [
      'generate_end',
      'AfterModel',
      {
        llm_request: { messages: [{ role: 'user', content: [{ text: 'a' }, 'b'] }] },
        llm_response: { candidates: [{ content: { parts: ['x', { functionCall: {} }, { text: 'y' }] } }, { content: { parts: ['z'] } }] },
        tool_calls: ['Bash', { name: 7 }, { name: 'Read' }],
      },
      { prompt: 'ab', response_text: 'xy', tool_calls: [{ name: 'Read', args: {} }] },
    ],
    [
      'generate_start',
      'BeforeModel',
      {
        llm_request: {
          messages: [
            { role: 'system', content: 'One.' },
            { role: 'user', content: { image: 'i' } },
            { role: 'system', content: 'Two.' },
          ],
        },
      },
      { prompt: '{"image":"i"}', system_prompt: 'One.\n\nTwo.' },
    ],
    [
      'post_tool_use',
      'AfterTool',
      {
        tool_name: 'T',
        tool_input: {},
        tool_response: { llmContent: [{ text: 'a' }, { text: 'b' }], exitCode: 2, duration_ms: 9, error: null },
      },
      { result: { success: true, output: 'ab', exit_code: 2, duration_ms: 9 } },
    ],
    [
      'post_tool_use',
      'AfterTool',
      { tool_name: 'T', tool_input: {}, tool_response: { llmContent: { rows: 2 }, exit_code: 'many' } },
      { result: { success: true, output: '{"rows":2}', duration_ms: 0 } },
    ],
  ];

  test.each([...full, ...empty])(
    '%s: a handler of %s with the fields %j is shown a whole payload',
    async (type, eventName, input, payload) => {
      const { payloads, handle } = keeping();
      await withHandlers({ h: [type, handle] }, async ({ handler }) => {
        const { success } = await handler.fire(eventName, input);
        expect(success).toBe(true);
        expect(payloads).toEqual([{ session_id: 's1', ...payload }]);
      });
    },
  );

  test.each(odd)('%s: of %s with the odd fields %j it is shown what can be read', async (type, eventName, input, payload) => {
    const { payloads, handle } = keeping();
    await withHandlers({ h: [type, handle] }, async ({ handler }) => {
      await handler.fire(eventName, input);
      expect(payloads).toMatchObject([payload]);
    });
  });

  test('the session is that of the event', async () => {
    const { payloads, handle } = keeping();
    await withHandlers(
      { h: ['pre_tool_use', handle, { matcher: { session_id: 'given' } }] },
      async ({ hooks }) => {
        await hooks.getEventHandler().fire('BeforeTool', { session_id: 'given', tool_name: 'T', tool_input: {} });
        await hooks.getEventHandler().fire('BeforeTool', { session_id: 'other', tool_name: 'T', tool_input: {} });
        expect(payloads.map(({ session_id }) => session_id)).toEqual(['given']);
      },
      { sessionId: undefined as never },
    );
  });
});

describe('fields of a payload', () => {
  /** The events with all fields that an agent can send. */
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

  /** The same events with as few fields as possible, and a tool that failed. */
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

  test.each<[type: HookEventType, field: string, value: unknown]>([
    ['pre_tool_use', 'session_id', 's1'],
    ['pre_tool_use', 'tool', 'Bash'],
    ['pre_tool_use', 'args', { command: 'ls' }],
    ['pre_tool_use', 'working_directory', '/srv/app'],
    ['pre_tool_use', 'recent_tools', ['Read', 'Write']],
    ['post_tool_use', 'session_id', 's1'],
    ['post_tool_use', 'tool', 'Bash'],
    ['post_tool_use', 'args', { command: 'ls' }],
    ['post_tool_use', 'result', { success: true, output: 'out', exit_code: 3, duration_ms: 812 }],
    ['post_tool_use', 'result.success', true],
    ['post_tool_use', 'result.output', 'out'],
    ['post_tool_use', 'result.exit_code', 3],
    ['post_tool_use', 'result.duration_ms', 812],
    ['generate_start', 'session_id', 's1'],
    ['generate_start', 'prompt', 'hello'],
    ['generate_start', 'system_prompt', 'Be brief.'],
    ['generate_start', 'model_provider', 'acme'],
    ['generate_start', 'model_name', 'm-1'],
    ['generate_start', 'available_tools', ['Bash']],
    ['generate_end', 'session_id', 's1'],
    ['generate_end', 'prompt', 'hello'],
    ['generate_end', 'response_text', 'hi'],
    ['generate_end', 'tool_calls', [{ name: 'Bash', args: { command: 'ls' } }]],
    ['generate_end', 'usage', { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }],
    ['generate_end', 'usage.prompt_tokens', 10],
    ['generate_end', 'usage.completion_tokens', 5],
    ['generate_end', 'usage.total_tokens', 15],
    ['generate_end', 'duration_ms', 7],
    ['session_start', 'session_id', 's1'],
    ['session_start', 'system_prompt', 'Be brief.'],
    ['session_start', 'model_provider', 'acme'],
    ['session_start', 'model_name', 'm-1'],
    ['session_end', 'session_id', 's1'],
    ['session_end', 'total_tokens', 12],
    ['session_end', 'total_tool_calls', 3],
    ['session_end', 'duration_ms', 4],
  ])('a handler of %s reads %s', (type, field, value) => {
    expect(seen.get(type)).toHaveProperty(field, value);
  });

  test('success: a handler of post_tool_use reads that a tool failed', () => {
    expect(seenBare.get('post_tool_use')).toHaveProperty('result.success', false);
  });

  test.each<[type: HookEventType, field: string]>([
    ['post_tool_use', 'result.exit_code'],
    ['generate_start', 'system_prompt'],
    ['session_start', 'system_prompt'],
  ])('a handler of %s finds no %s where the agent has none', (type, field) => {
    expect(seenBare.get(type)).toBeDefined();
    expect(seenBare.get(type)).not.toHaveProperty(field);
  });
});
