import type { HookToolConfig } from '@tenterhook/protocol';
import type OpenAI from 'openai-v7';
import { openAiResponsesTranslator } from '../../../src/translators/openai-responses/translator.js';
import { frozen } from '../freeze.js';

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Tool = OpenAI.Responses.Tool;

const translator = openAiResponsesTranslator<Params, OpenAI.Responses.Response>();

const aFunction = (name: string): Tool => ({ type: 'function', name, parameters: {}, strict: true });
const [read, write] = [aFunction('read'), aFunction('write')];
const grep: Tool = { type: 'custom', name: 'grep' };
const search: Tool = { type: 'web_search' };
const crm: Tool = { type: 'namespace', name: 'crm', description: 'd', tools: [{ type: 'function', name: 'lookup' }] };

const bare: Params = frozen({ model: 'm', input: 'hi' });
const offered: Params = frozen({ ...bare, tools: [read, write, grep, search, crm], parallel_tool_calls: true });
const named: Params = frozen({ ...offered, tool_choice: { type: 'function', name: 'read' } });
const hosted: Params = frozen({ ...offered, tool_choice: { type: 'web_search_preview' } });
const allowed: Params = frozen({
  ...offered,
  tool_choice: {
    type: 'allowed_tools',
    mode: 'auto',
    tools: [
      { type: 'function', name: 'read' },
      { type: 'custom', name: 'grep' },
    ],
  },
});

const shown: Record<string, [request: Params, expected: HookToolConfig | undefined]> = {
  'none said': [offered, undefined],
  none: [{ ...offered, tool_choice: 'none' }, { mode: 'NONE' }],
  auto: [{ ...offered, tool_choice: 'auto' }, { mode: 'AUTO' }],
  required: [{ ...offered, tool_choice: 'required' }, { mode: 'ANY' }],
  'one function': [named, { mode: 'ANY', allowedFunctionNames: ['read'] }],
  'a tool of the service': [hosted, undefined],
  'a tool of an MCP server that the service calls': [
    { ...offered, tool_choice: { type: 'mcp', server_label: 's', name: 'read' } },
    undefined,
  ],
  'allowed tools': [allowed, { mode: 'AUTO', allowedFunctionNames: ['read', 'grep'] }],
};

test.each(Object.entries(shown))('a tool choice as hooks see it: %s', (_, [request, expected]) => {
  expect(translator.toHookRequest(request).toolConfig).toEqual(expected);
});

test('R4: the names of functions and custom tools', () => {
  expect(translator.toolNames(offered)).toEqual(['read', 'write', 'grep']);
  expect(translator.toolNames(bare)).toEqual([]);
});

const rest = { parallel_tool_calls: true };
const table: Record<string, [request: Params, toolConfig: HookToolConfig, expected: Partial<Params> | 'same']> = {
  'NONE: no tools, and no field that speaks of tools': [offered, { mode: 'NONE' }, {}],
  'an empty list: the same': [named, { allowedFunctionNames: [] }, {}],
  'AUTO with a list: only these functions, and what has no name here': [
    offered,
    { mode: 'AUTO', allowedFunctionNames: ['read', 'grep'] },
    { ...rest, tools: [read, grep, search, crm] },
  ],
  'ANY with a list: one of these': [
    offered,
    { mode: 'ANY', allowedFunctionNames: ['write'] },
    { ...rest, tools: [write, search, crm], tool_choice: 'required' },
  ],
  'ANY where no function is left': [offered, { mode: 'ANY', allowedFunctionNames: ['rm'] }, { ...rest, tools: [search, crm] }],
  'a list where one function was demanded': [
    named,
    { mode: 'AUTO', allowedFunctionNames: ['write'] },
    { ...rest, tools: [write, search, crm], tool_choice: 'auto' },
  ],
  'a list where a tool of the service was demanded': [
    hosted,
    { allowedFunctionNames: ['write'] },
    { ...rest, tools: [write, search, crm], tool_choice: { type: 'web_search_preview' } },
  ],
  'a mode alone keeps the allowed tools, and does not allow those of the service': [
    allowed,
    { mode: 'ANY' },
    { ...rest, tools: [read, grep, search, crm], tool_choice: { ...(allowed.tool_choice as object), mode: 'required' } as never },
  ],
  'a list narrows the allowed tools': [
    allowed,
    { allowedFunctionNames: ['read'] },
    {
      ...rest,
      tools: [read, search, crm],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'read' }] },
    },
  ],
  'a list of none of the allowed tools': [
    allowed,
    { allowedFunctionNames: ['rm'] },
    { ...rest, tools: [search, crm], tool_choice: 'none' },
  ],
  'what is so already': [named, { mode: 'ANY', allowedFunctionNames: ['read'] }, 'same'],
  'nothing said': [offered, {}, 'same'],
  'NONE of the request wins': [{ ...offered, tool_choice: 'none' }, { mode: 'AUTO', allowedFunctionNames: ['read'] }, 'same'],
  'AUTO with all tools': [offered, { mode: 'AUTO', allowedFunctionNames: ['grep', 'write', 'read'] }, 'same'],
  'no tools to restrict': [bare, { mode: 'NONE' }, 'same'],
};

test.each(Object.entries(table))('%s', (_, [request, toolConfig, expected]) => {
  const result = translator.withToolConfig(request, frozen(toolConfig));
  if (expected === 'same') expect(result).toBe(request);
  else expect(result).toEqual({ ...bare, ...expected });
  // As a hook of BeforeModel writes it into the request; and nothing is left to do a second time.
  expect(translator.fromHookRequest({ ...translator.toHookRequest(request), toolConfig }, request)).toEqual(result);
  expect(translator.toolNames(translator.withToolConfig(result, toolConfig))).toEqual(translator.toolNames(result));
});
