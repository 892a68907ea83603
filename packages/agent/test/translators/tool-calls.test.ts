import { anthropicTranslator } from '../../src/translators/anthropic/translator.js';
import { genAiTranslator } from '../../src/translators/genai/translator.js';
import { openAiChatTranslator } from '../../src/translators/openai-chat/translator.js';
import { openAiResponsesTranslator } from '../../src/translators/openai-responses/translator.js';
import { frozen } from './freeze.js';

const translators = {
  anthropic: anthropicTranslator(),
  genai: genAiTranslator(),
  'openai-chat': openAiChatTranslator(),
  'openai-responses': openAiResponsesTranslator(),
};
const callsIn = (format: keyof typeof translators, response: object) => translators[format].toolCalls?.(frozen(response) as never);

const called = (name: string, args: string) => ({ id: 'c1', type: 'function', function: { name, arguments: args } });
const chat = (...messages: object[]) => ({ choices: messages.map((message, index) => ({ index, message })) });
const genAi = (...candidates: object[][]) => ({ candidates: candidates.map((parts) => ({ content: { role: 'model', parts } })) });

describe('the calls of an answer, in their order', () => {
  test('Anthropic: tool_use blocks; what the service runs itself is not a call', () => {
    const content = [
      { type: 'text', text: 'reading' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
      { type: 'server_tool_use', id: 'c2', name: 'web_search', input: { query: 'q' } },
      { type: 'tool_use', id: 'c3', name: 'list', input: {} },
    ];
    expect(callsIn('anthropic', { content })).toEqual([
      { name: 'read', args: { path: 'a' }, id: 'c1' },
      { name: 'list', args: {}, id: 'c3' },
    ]);
  });

  test('GenAI: function calls of every candidate; a call without arguments has none', () => {
    const response = genAi(
      [{ text: 'reading' }, { functionCall: { id: 'c1', name: 'read', args: { path: 'a' } }, thoughtSignature: 's' }],
      [{ functionCall: { name: 'list' } }, { toolCall: { toolType: 'GOOGLE_SEARCH' } }],
    );
    expect(callsIn('genai', response)).toEqual([
      { name: 'read', args: { path: 'a' }, id: 'c1' },
      { name: 'list', args: {} },
    ]);
  });

  test('OpenAI: functions of every choice, their older form, and custom tools with their text as args.input', () => {
    const response = chat(
      {
        content: null,
        tool_calls: [called('read', '{"path":"a"}'), { id: 'c2', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }],
      },
      { content: null, function_call: { name: 'list', arguments: '{"deep":true}' } },
    );
    expect(callsIn('openai-chat', response)).toEqual([
      { name: 'read', args: { path: 'a' }, id: 'c1' },
      { name: 'sql', args: { input: 'SELECT 1' }, id: 'c2' },
      { name: 'list', args: { deep: true } },
    ]);
  });

  test('OpenAI Responses: functions, custom tools, and the tools of the API that the agent runs; what the service runs itself is left out', () => {
    const output = [
      { type: 'reasoning', id: 'rs1', summary: [] },
      { type: 'function_call', id: 'fc1', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'sql', input: 'SELECT 1' },
      { type: 'web_search_call', id: 'ws1', status: 'completed', action: { type: 'search', query: 'q' } },
      { type: 'shell_call', call_id: 'c3', action: { commands: ['ls'] }, environment: { type: 'local' } },
      { type: 'shell_call', call_id: 'c4', action: { commands: ['ls'] }, environment: { type: 'container_reference', container_id: 'k' } },
      { type: 'local_shell_call', id: 'l1', call_id: 'c5', action: { type: 'exec', command: ['ls'] } },
      { type: 'apply_patch_call', call_id: 'c6', operation: { type: 'delete_file', path: 'a' } },
      { type: 'computer_call', call_id: 'c7', action: { type: 'wait' } },
      { type: 'computer_call', call_id: 'c8', actions: [{ type: 'wait' }] },
      { type: 'tool_search_call', call_id: 'c9', execution: 'client', arguments: { query: 'q' } },
      { type: 'tool_search_call', call_id: null, execution: 'server', arguments: { query: 'q' } },
    ];
    expect(callsIn('openai-responses', { output })).toEqual([
      { id: 'c1', name: 'read', args: { path: 'a' } },
      { id: 'c2', name: 'sql', args: { input: 'SELECT 1' } },
      { id: 'c3', name: 'shell', args: { commands: ['ls'] } },
      { id: 'c5', name: 'local_shell', args: { type: 'exec', command: ['ls'] } },
      { id: 'c6', name: 'apply_patch', args: { type: 'delete_file', path: 'a' } },
      { id: 'c7', name: 'computer', args: { type: 'wait' } },
      { id: 'c8', name: 'computer', args: { actions: [{ type: 'wait' }] } },
      { id: 'c9', name: 'tool_search', args: { query: 'q' } },
    ]);
  });

  test.each(['', '{"path":', '["a"]', '"a"', 'null'])('arguments that the model wrote as %j are invalid, and the call stays', (args) => {
    expect(callsIn('openai-chat', chat({ tool_calls: [called('read', args)] }))).toEqual([{ name: 'read', args: {}, id: 'c1' }]);
    const output = [{ type: 'function_call', call_id: 'c1', name: 'read', arguments: args }];
    expect(callsIn('openai-responses', { output })).toEqual([{ id: 'c1', name: 'read', args: {} }]);
  });

  test.each([
    ['anthropic', { content: [{ type: 'text', text: 'hi' }] }],
    ['anthropic', { content: [{ type: 'tool_use', id: 'c1', input: {} }] }],
    ['genai', genAi([{ text: 'hi' }])],
    ['genai', {}],
    ['openai-chat', chat({ content: 'hi' })],
    ['openai-chat', chat({ tool_calls: [{ id: 'c1', type: 'function' }, null] })],
    ['openai-responses', {}],
    [
      'openai-responses',
      { output: [{ type: 'function_call' }, null, { type: 'message', content: [{ type: 'output_text', text: 'hi' }] }] },
    ],
  ] as const)('%s: %j has none', (format, response) => {
    expect(callsIn(format, response)).toEqual([]);
  });
});
