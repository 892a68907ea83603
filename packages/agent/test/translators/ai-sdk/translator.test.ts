import type { LLMRequest } from '@tenterhook/protocol';
import { aiSdkTranslator } from '../../../src/translators/ai-sdk/translator.js';
import type { LlmTranslator } from '../../../src/translators/llm-translator.js';
import { frozen } from '../freeze.js';
import type { RequestV2, RequestV3, RequestV4, ResponseV2, ResponseV3, ResponseV4 } from './sdk-types.js';

const translator = aiSdkTranslator<RequestV4, ResponseV4>({ specificationVersion: 'v4', modelId: 'm-1', provider: 'acme.chat' });
const tool = (name: string) => ({ type: 'function' as const, name, inputSchema: {} });
const providerTool = { type: 'provider' as const, id: 'acme.search' as const, name: 'search', args: {} };
const call = { type: 'tool-call' as const, toolCallId: 'c1', toolName: 'read', input: { path: 'a' } };
const request: RequestV4 = frozen({
  prompt: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look: ' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA' } },
        { type: 'text', text: 'what is it?' },
      ],
    },
    { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'I read.' }, call] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'secret' } }] },
  ],
  temperature: 0.5,
  maxOutputTokens: 100,
  seed: 7,
  tools: [tool('read'), tool('write'), providerTool],
  toolChoice: { type: 'auto' },
});

test('what hooks see: texts, settings and the tools, and nothing of results', () => {
  expect(translator.toHookRequest(request)).toEqual({
    model: 'm-1',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look: what is it?' },
      { role: 'model', content: 'I read.' },
    ],
    config: { temperature: 0.5, maxOutputTokens: 100 },
    toolConfig: { mode: 'AUTO' },
  });
  expect(translator.toolNames(request)).toEqual(['read', 'write']);
  expect([translator.name, translator.provider]).toEqual(['ai-sdk', 'acme.chat']);
});

test('a model of each version is accepted with the types of its SDK', () => {
  const translators: [LlmTranslator<RequestV2, ResponseV2>, LlmTranslator<RequestV3, ResponseV3>, LlmTranslator<RequestV4, ResponseV4>] = [
    aiSdkTranslator({ specificationVersion: 'v2' }),
    aiSdkTranslator({ specificationVersion: 'v3' }),
    aiSdkTranslator(),
  ];
  expect(translators.map(({ name }) => name)).toEqual(['ai-sdk', 'ai-sdk', 'ai-sdk']);
});

test('a changed message keeps its image, and the other messages are the same objects', () => {
  const changed = withMessages((messages) => messages.splice(1, 1, { role: 'user', content: 'Look: what is this?' }));
  expect(changed.prompt[1]!.content).toEqual([
    { type: 'text', text: 'Look: ' },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA' } },
    { type: 'text', text: 'what is this?' },
  ]);
  expect([changed.prompt[0], changed.prompt[2], changed.prompt[3]]).toEqual([request.prompt[0], request.prompt[2], request.prompt[3]]);
  expect(changed.prompt[2]).toBe(request.prompt[2]);
});

test('a role that the parts of a message cannot have makes a separate message', () => {
  const roles = (changed: RequestV4) => changed.prompt.map(({ role }) => role);
  const ofUser = withMessages((messages) => messages.splice(0, 1, { role: 'user', content: 'Be brief.' }));
  expect(ofUser.prompt[0]).toEqual({ role: 'user', content: [{ type: 'text', text: 'Be brief.' }] });
  const ofModel = withMessages((messages) => messages.splice(1, 1, { role: 'model', content: 'Look: what is it?' }));
  expect(roles(ofModel)).toEqual(['system', 'assistant', 'user', 'assistant', 'tool']);
  expect(ofModel.prompt[2]!.content).toHaveLength(1);
});

test('settings that a hook returns are written, and a model is not', () => {
  const changed = translator.fromHookRequest({ model: 'other', config: { temperature: 0, topK: 3 } }, request);
  expect(changed).toEqual({ ...request, temperature: 0, topK: 3 });
});

test.each([
  [{ allowedFunctionNames: ['read'] }, [tool('read'), providerTool], { type: 'auto' }],
  [{ mode: 'ANY', allowedFunctionNames: ['write'] }, [tool('write'), providerTool], { type: 'required' }],
  [{ mode: 'NONE' }, undefined, undefined],
  [{ allowedFunctionNames: [] }, undefined, undefined],
] as const)('the tools with %j', (toolConfig, tools, toolChoice) => {
  const changed = translator.withToolConfig(request, toolConfig as never);
  expect([changed.tools, changed.toolChoice]).toEqual([tools, toolChoice]);
  expect(changed.prompt).toBe(request.prompt);
});

test('a choice of one tool, and of none, is shown; a hook cannot add tools to none', () => {
  const one = { ...request, toolChoice: { type: 'tool' as const, toolName: 'read' } };
  expect(translator.toHookRequest(one).toolConfig).toEqual({ mode: 'ANY', allowedFunctionNames: ['read'] });
  const none = { ...request, toolChoice: { type: 'none' as const } };
  expect(translator.withToolConfig(none, { allowedFunctionNames: ['read'] })).toBe(none);
});

function withMessages(change: (messages: NonNullable<LLMRequest['messages']>[number][]) => unknown): RequestV4 {
  const shown = translator.toHookRequest(request);
  const messages = [...(shown.messages ?? [])];
  change(messages);
  return translator.fromHookRequest({ ...shown, messages }, request);
}
