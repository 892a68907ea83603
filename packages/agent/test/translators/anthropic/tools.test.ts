import type Anthropic from '@anthropic-ai/sdk';
import type { HookToolConfig } from '@tenterhook/protocol';
import { anthropicTranslator } from '../../../src/translators/anthropic/translator.js';
import { frozen } from '../freeze.js';

type MessageParams = Anthropic.MessageCreateParamsNonStreaming;

const translator = anthropicTranslator<MessageParams, Anthropic.Message>();

const tool = (name: string): Anthropic.Tool => ({ name, input_schema: { type: 'object' } });
const bash: Anthropic.ToolUnion = { type: 'bash_20250124', name: 'bash' };
const search: Anthropic.ToolUnion = { type: 'web_search_20250305', name: 'web_search' };
const computer: Anthropic.ToolUnion = { type: 'computer_toolset_20260801' };

const bare: MessageParams = frozen({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] });
const offered: MessageParams = frozen({ ...bare, tools: [tool('read'), tool('write'), bash, search] });
const demanded: MessageParams = frozen({ ...offered, tool_choice: { type: 'tool', name: 'read', disable_parallel_tool_use: true } });
const history: MessageParams['messages'] = [
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c' }] },
];
const used: MessageParams = frozen({ ...offered, messages: [...bare.messages, ...history] });
const thinking: MessageParams = frozen({ ...offered, thinking: { type: 'enabled', budget_tokens: 1024 } });

const shown: Record<string, [choice: Anthropic.ToolChoice | undefined, expected: HookToolConfig | undefined]> = {
  'none said': [undefined, undefined],
  none: [{ type: 'none' }, { mode: 'NONE' }],
  auto: [{ type: 'auto' }, { mode: 'AUTO' }],
  any: [{ type: 'any' }, { mode: 'ANY' }],
  'one tool': [
    { type: 'tool', name: 'read' },
    { mode: 'ANY', allowedFunctionNames: ['read'] },
  ],
};

test.each(Object.entries(shown))('a tool choice as hooks see it: %s', (_, [tool_choice, expected]) => {
  expect(translator.toHookRequest({ ...offered, ...(tool_choice === undefined ? {} : { tool_choice }) }).toolConfig).toEqual(expected);
});

test('the names of the tools that the agent runs', () => {
  expect(translator.toolNames({ ...offered, tools: [...offered.tools!, computer] })).toEqual(['read', 'write', 'bash']);
  expect(translator.toolNames(bare)).toEqual([]);
});

const table: Record<string, [request: MessageParams, toolConfig: HookToolConfig, expected: Partial<MessageParams> | 'same']> = {
  'NONE: no tools, not even of the service': [offered, { mode: 'NONE', allowedFunctionNames: [] }, { ...bare }],
  'an empty list: the same': [demanded, { mode: 'AUTO', allowedFunctionNames: [] }, { ...bare }],
  'NONE with calls in the history: the list has to stay': [used, { mode: 'NONE' }, { ...used, tool_choice: { type: 'none' } }],
  'a list of tools that are not offered, with calls in the history': [
    { ...used, tools: [tool('read')] },
    { allowedFunctionNames: ['rm'] },
    { ...used, tools: [tool('read')], tool_choice: { type: 'none' } },
  ],
  'AUTO with a list: only these, and what the service runs': [
    offered,
    { mode: 'AUTO', allowedFunctionNames: ['bash'] },
    { ...bare, tools: [bash, search] },
  ],
  'a list, with a set of tools': [
    { ...offered, tools: [tool('read'), tool('write'), computer] },
    { allowedFunctionNames: ['read'] },
    { ...bare, tools: [tool('read'), computer] },
  ],
  'ANY with a list: one of these': [
    offered,
    { mode: 'ANY', allowedFunctionNames: ['write'] },
    { ...bare, tools: [tool('write'), search], tool_choice: { type: 'any' } },
  ],
  'ANY while the model thinks: these, but not by force': [
    thinking,
    { mode: 'ANY', allowedFunctionNames: ['write'] },
    { ...thinking, tools: [tool('write'), search] },
  ],
  'ANY, and only the service has tools left': [offered, { mode: 'ANY', allowedFunctionNames: ['rm'] }, { ...bare, tools: [search] }],
  'AUTO where one was demanded: not two at once, as before': [
    demanded,
    { mode: 'AUTO', allowedFunctionNames: ['write'] },
    { ...bare, tools: [tool('write'), search], tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  ],
  'what is so already': [demanded, { mode: 'ANY', allowedFunctionNames: ['read'] }, 'same'],
  'AUTO, which is the default': [offered, { mode: 'AUTO' }, 'same'],
  'nothing said': [offered, {}, 'same'],
  'no tools to restrict': [bare, { mode: 'NONE' }, 'same'],
  'ANY without tools': [bare, { mode: 'ANY' }, 'same'],
};

test.each(Object.entries(table))('%s', (_, [request, toolConfig, expected]) => {
  const result = translator.withToolConfig(frozen(request), frozen(toolConfig));
  if (expected === 'same') expect(result).toBe(request);
  else expect(result).toEqual(expected);
  // As a hook of BeforeModel writes it into the request; and nothing is left to do a second time.
  expect(translator.fromHookRequest({ ...translator.toHookRequest(request), toolConfig }, request)).toEqual(result);
  expect(translator.withToolConfig(result, toolConfig)).toEqual(result);
});
