import type {
  CallableTool,
  FunctionCall,
  FunctionCallingConfig,
  GenerateContentConfig,
  GenerateContentParameters,
  Tool,
} from '@google/genai';
import type { HookToolConfig } from '@tenterhook/protocol';
import { genAiTranslator } from '../../../src/translators/genai/translator.js';
import { frozen } from '../freeze.js';

const translator = genAiTranslator<GenerateContentParameters, never>();

const declare = (...names: string[]): Tool => ({ functionDeclarations: names.map((name) => ({ name })) });
const search: Tool = { googleSearch: {} };
const bare: GenerateContentParameters = frozen({ model: 'm', contents: 'hi' });

const requestWith = (config: GenerateContentConfig): GenerateContentParameters => frozen({ ...bare, config });
/** The mode is an enum of the SDK, which is a value that tests do not import. */
const calling = (mode: string, ...names: string[]): GenerateContentConfig => ({
  toolConfig: { functionCallingConfig: { mode, ...(names.length === 0 ? {} : { allowedFunctionNames: names }) } as FunctionCallingConfig },
});

const tools = [declare('read', 'write'), { ...declare('grep'), ...search }];
const offered = requestWith({ seed: 7, tools });
const demanded = requestWith({ seed: 7, tools, ...calling('ANY', 'read') });

const shown: Record<string, [config: GenerateContentConfig, expected: HookToolConfig | undefined]> = {
  'none said': [{ tools }, undefined],
  AUTO: [calling('AUTO'), { mode: 'AUTO' }],
  'ANY of some': [calling('ANY', 'read'), { mode: 'ANY', allowedFunctionNames: ['read'] }],
  NONE: [calling('NONE'), { mode: 'NONE' }],
  'VALIDATED, which lets the model choose': [calling('VALIDATED', 'read'), { mode: 'AUTO', allowedFunctionNames: ['read'] }],
  unspecified: [calling('MODE_UNSPECIFIED'), undefined],
};

test.each(Object.entries(shown))('a calling config as hooks see it: %s', (_, [config, expected]) => {
  const request = requestWith(config);
  expect(translator.toHookRequest(request).toolConfig).toEqual(expected);
  expect(translator.fromHookRequest(translator.toHookRequest(request), request)).toBe(request);
});

test('the names of all declared functions', () => {
  expect(translator.toolNames(offered)).toEqual(['read', 'write', 'grep']);
  expect(translator.toolNames(requestWith({ tools: [search] }))).toEqual([]);
  expect(translator.toolNames(bare)).toEqual([]);
});

const table: Record<string, [request: GenerateContentParameters, toolConfig: HookToolConfig, expected: GenerateContentConfig | 'same']> = {
  'NONE: no tools, not even a search': [demanded, { mode: 'NONE', allowedFunctionNames: [] }, { seed: 7 }],
  'an empty list: the same': [offered, { mode: 'AUTO', allowedFunctionNames: [] }, { seed: 7 }],
  'AUTO with a list: declarations alone, for AUTO takes no list': [
    offered,
    { mode: 'AUTO', allowedFunctionNames: ['read'] },
    { seed: 7, tools: [declare('read'), search] },
  ],
  'AUTO with a list, where others were demanded': [
    demanded,
    { mode: 'AUTO', allowedFunctionNames: ['write', 'grep'] },
    { seed: 7, tools: [declare('write'), tools[1]!], ...calling('AUTO') },
  ],
  'ANY with a list: one of those that are offered': [
    offered,
    { mode: 'ANY', allowedFunctionNames: ['grep', 'rm'] },
    { seed: 7, tools: [tools[1]!], ...calling('ANY', 'grep') },
  ],
  'ANY: one of all': [offered, { mode: 'ANY' }, { seed: 7, tools, ...calling('ANY') }],
  'a list of functions that are not offered: the search is left, and nothing to demand': [
    offered,
    { mode: 'ANY', allowedFunctionNames: ['rm'] },
    { seed: 7, tools: [search] },
  ],
  'a mode alone keeps the restriction there was': [
    demanded,
    { mode: 'AUTO' },
    { seed: 7, tools: [declare('read'), search], ...calling('AUTO') },
  ],
  'AUTO with a list keeps VALIDATED': [
    requestWith({ tools, ...calling('VALIDATED') }),
    { mode: 'AUTO', allowedFunctionNames: ['read'] },
    { tools: [declare('read'), search], ...calling('VALIDATED') },
  ],
  'the rest of the tool config stays': [
    requestWith({ tools: [declare('read')], toolConfig: { retrievalConfig: { languageCode: 'de' } } }),
    { mode: 'NONE' },
    { toolConfig: { retrievalConfig: { languageCode: 'de' } } },
  ],
  'what is so already': [demanded, { mode: 'ANY', allowedFunctionNames: ['read'] }, 'same'],
  'AUTO, which is the default': [offered, { mode: 'AUTO' }, 'same'],
  'nothing said': [offered, {}, 'same'],
  'all functions': [offered, { mode: 'AUTO', allowedFunctionNames: ['read', 'write', 'grep'] }, 'same'],
  'no tools to restrict': [bare, { mode: 'NONE' }, 'same'],
  'ANY without functions': [requestWith({ tools: [search] }), { mode: 'ANY' }, 'same'],
};

test.each(Object.entries(table))('%s', (_, [request, toolConfig, expected]) => {
  const result = translator.withToolConfig(request, frozen(toolConfig));
  if (expected === 'same') expect(result).toBe(request);
  else expect(result).toEqual({ ...bare, config: expected });
  // As a hook of BeforeModel writes it into the request; and nothing is left to do a second time.
  expect(translator.fromHookRequest({ ...translator.toHookRequest(request), toolConfig }, request)).toEqual(result);
  expect(translator.withToolConfig(result, toolConfig)).toEqual(result);
});

test('a callable tool, which tells its functions only to the SDK, is filtered when it tells them and when it is called', async () => {
  const called: FunctionCall[] = [];
  const callable: CallableTool = {
    tool: async () => declare('read', 'write'),
    callTool: async (calls) => {
      called.push(...calls);
      return [];
    },
  };
  const request = requestWith({ tools: [callable] });
  expect(translator.toolNames(request)).toEqual([]);
  const { config } = translator.withToolConfig(request, { mode: 'ANY', allowedFunctionNames: ['read'] });
  expect(config?.toolConfig).toEqual(calling('ANY', 'read').toolConfig);
  const filtered = config?.tools?.[0] as CallableTool;
  expect(await filtered.tool()).toEqual(declare('read'));
  await filtered.callTool([{ name: 'write' }, { name: 'read' }]);
  expect(called).toEqual([{ name: 'read' }]);
  expect(translator.withToolConfig(request, { mode: 'NONE' })).toEqual({ ...bare, config: {} });
  expect(translator.withToolConfig(request, { mode: 'ANY' }).config?.tools?.[0]).toBe(callable);
});
