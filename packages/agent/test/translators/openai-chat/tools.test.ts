import type { HookToolConfig } from '@tenterhook/protocol';
import type OpenAI from 'openai';
import { openAiChatTranslator } from '../../../src/translators/openai-chat/translator.js';
import { frozen } from '../freeze.js';

type ChatParams = OpenAI.ChatCompletionCreateParamsNonStreaming;

const translator = openAiChatTranslator<ChatParams, OpenAI.ChatCompletion>();

const read: OpenAI.ChatCompletionTool = { type: 'function', function: { name: 'read', parameters: {} } };
const write: OpenAI.ChatCompletionTool = { type: 'function', function: { name: 'write', parameters: {} } };
const grep: OpenAI.ChatCompletionTool = { type: 'custom', custom: { name: 'grep' } };

const bare: ChatParams = frozen({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
const offered: ChatParams = frozen({ ...bare, tools: [read, write, grep], parallel_tool_calls: true });
const named: ChatParams = frozen({ ...offered, tool_choice: { type: 'function', function: { name: 'read' } } });
const allowed: ChatParams = frozen({
  ...offered,
  tool_choice: {
    type: 'allowed_tools',
    allowed_tools: {
      mode: 'auto',
      tools: [
        { type: 'function', function: { name: 'read' } },
        { type: 'custom', custom: { name: 'grep' } },
      ],
    },
  },
});
const older: ChatParams = frozen({ ...bare, functions: [{ name: 'read' }, { name: 'write' }], function_call: 'auto' });

const shown: Record<string, [request: ChatParams, expected: HookToolConfig | undefined]> = {
  'none said': [offered, undefined],
  none: [{ ...offered, tool_choice: 'none' }, { mode: 'NONE' }],
  auto: [{ ...offered, tool_choice: 'auto' }, { mode: 'AUTO' }],
  required: [{ ...offered, tool_choice: 'required' }, { mode: 'ANY' }],
  'one function': [named, { mode: 'ANY', allowedFunctionNames: ['read'] }],
  'allowed tools': [allowed, { mode: 'AUTO', allowedFunctionNames: ['read', 'grep'] }],
  'the older form': [
    { ...older, function_call: { name: 'read' } },
    { mode: 'ANY', allowedFunctionNames: ['read'] },
  ],
};

test.each(Object.entries(shown))('a tool choice as hooks see it: %s', (_, [request, expected]) => {
  expect(translator.toHookRequest(request).toolConfig).toEqual(expected);
});

test('the names of all tools offered', () => {
  expect(translator.toolNames(offered)).toEqual(['read', 'write', 'grep']);
  expect(translator.toolNames(older)).toEqual(['read', 'write']);
  expect(translator.toolNames(bare)).toEqual([]);
});

const table: Record<string, [request: ChatParams, toolConfig: HookToolConfig, expected: Partial<ChatParams> | 'same']> = {
  'NONE: no tools, and no field that speaks of tools': [offered, { mode: 'NONE', allowedFunctionNames: [] }, {}],
  'an empty list: the same': [named, { mode: 'AUTO', allowedFunctionNames: [] }, {}],
  'a list of tools that are not offered: none left': [offered, { mode: 'ANY', allowedFunctionNames: ['rm'] }, {}],
  'AUTO with a list: only these': [
    offered,
    { mode: 'AUTO', allowedFunctionNames: ['read', 'grep'] },
    { tools: [read, grep], parallel_tool_calls: true },
  ],
  'ANY with a list: one of these': [
    offered,
    { mode: 'ANY', allowedFunctionNames: ['write'] },
    { tools: [write], tool_choice: 'required', parallel_tool_calls: true },
  ],
  'ANY: one of all': [offered, { mode: 'ANY' }, { tools: [read, write, grep], tool_choice: 'required', parallel_tool_calls: true }],
  'AUTO with a list, where one function was demanded': [
    named,
    { mode: 'AUTO', allowedFunctionNames: ['write'] },
    { tools: [write], tool_choice: 'auto', parallel_tool_calls: true },
  ],
  'a mode alone keeps the restriction there was': [
    allowed,
    { mode: 'ANY' },
    { tools: [read, grep], tool_choice: 'required', parallel_tool_calls: true },
  ],
  'what is so already': [named, { mode: 'ANY', allowedFunctionNames: ['read'] }, 'same'],
  'AUTO, which is the default': [offered, { mode: 'AUTO' }, 'same'],
  'nothing said': [offered, {}, 'same'],
  'NONE of the request wins': [{ ...offered, tool_choice: 'none' }, { mode: 'AUTO', allowedFunctionNames: ['read'] }, 'same'],
  'AUTO with all tools': [offered, { mode: 'AUTO', allowedFunctionNames: ['grep', 'write', 'read'] }, 'same'],
  'no tools to restrict': [bare, { mode: 'NONE' }, 'same'],
  'ANY without tools': [bare, { mode: 'ANY' }, 'same'],
  'the older form, NONE': [older, { mode: 'NONE' }, {}],
  'the older form, with a list': [older, { allowedFunctionNames: ['read'] }, { functions: [{ name: 'read' }], function_call: 'auto' }],
  'the older form, one demanded': [
    older,
    { mode: 'ANY', allowedFunctionNames: ['read'] },
    { functions: [{ name: 'read' }], function_call: { name: 'read' } },
  ],
};

test.each(Object.entries(table))('%s', (_, [request, toolConfig, expected]) => {
  const result = translator.withToolConfig(request, frozen(toolConfig));
  if (expected === 'same') expect(result).toBe(request);
  else expect(result).toEqual({ ...bare, ...expected });
  // As a hook of BeforeModel writes it into the request; and nothing is left to do a second time.
  expect(translator.fromHookRequest({ ...translator.toHookRequest(request), toolConfig }, request)).toEqual(result);
  expect(translator.toolNames(translator.withToolConfig(result, toolConfig))).toEqual(translator.toolNames(result));
});
