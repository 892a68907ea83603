import { anthropicTranslator } from '../../src/translators/anthropic/translator.js';
import { genAiTranslator } from '../../src/translators/genai/translator.js';
import { openAiChatTranslator } from '../../src/translators/openai-chat/translator.js';
import { frozen } from './freeze.js';

const translators = { anthropic: anthropicTranslator(), genai: genAiTranslator(), 'openai-chat': openAiChatTranslator() };
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

  test.each(['', '{"path":', '["a"]', '"a"', 'null'])('arguments that the model wrote as %j are invalid, and the call stays', (args) => {
    expect(callsIn('openai-chat', chat({ tool_calls: [called('read', args)] }))).toEqual([{ name: 'read', args: {}, id: 'c1' }]);
  });

  test.each([
    ['anthropic', { content: [{ type: 'text', text: 'hi' }] }],
    ['anthropic', { content: [{ type: 'tool_use', id: 'c1', input: {} }] }],
    ['genai', genAi([{ text: 'hi' }])],
    ['genai', {}],
    ['openai-chat', chat({ content: 'hi' })],
    ['openai-chat', chat({ tool_calls: [{ id: 'c1', type: 'function' }, null] })],
  ] as const)('%s: %j has none', (format, response) => {
    expect(callsIn(format, response)).toEqual([]);
  });
});
