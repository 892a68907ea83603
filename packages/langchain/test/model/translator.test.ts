import { describe, expect, test } from '@jest/globals';
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import type { Turn } from '../../../agent/test/translators/conversation.js';
import { type Config, testRequestProperties, testResponseProperties } from '../../../agent/test/translators/translator-properties.js';
import type { LangChainRequest } from '../../src/model/request.js';
import { langChainTranslator } from '../../src/model/translator.js';

const translator = langChainTranslator();

function write(turns: readonly Turn[]): LangChainRequest {
  const system = turns.find(({ kind }) => kind === 'system');
  const systemMessage = system === undefined ? {} : { systemMessage: new SystemMessage({ content: contentOf(system) }) };
  return { ...systemMessage, messages: turns.filter((turn) => turn !== system).flatMap(messagesOf), tools: [] };
}

function contentOf({ text, isList }: Turn) {
  return isList ? [{ type: 'text' as const, text: text ?? '' }] : (text ?? '');
}

function messagesOf(turn: Turn): BaseMessage[] {
  const { kind, text, hasImage, ids = [] } = turn;
  switch (kind) {
    case 'system':
      return [new SystemMessage({ content: contentOf(turn) })];
    case 'user': {
      if (!hasImage) return [new HumanMessage({ content: contentOf(turn) })];
      const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } };
      return [new HumanMessage({ content: text === undefined ? [image] : [image, { type: 'text', text }], name: 'u', id: 'user' })];
    }
    case 'model':
      return [new AIMessage({ content: contentOf(turn), tool_calls: [], invalid_tool_calls: [] })];
    case 'call': {
      const calls = ids.map((id) => ({ type: 'tool_call' as const, id, name: 'read_file', args: { path: 'a' } }));
      return [new AIMessage({ content: text ?? '', tool_calls: calls, invalid_tool_calls: [] })];
    }
    case 'results':
      return ids.map((id) => new ToolMessage({ tool_call_id: id, content: text ?? 'done' }));
  }
}

function withConfig(request: LangChainRequest, config: Config): LangChainRequest {
  const { temperature, maxOutputTokens: maxTokens, topP, topK, stopSequences: stop, presencePenalty, frequencyPenalty } = config;
  return { ...request, modelSettings: { temperature, maxTokens, topP, topK, stop, presencePenalty, frequencyPenalty } };
}

describe('any request', () => {
  testRequestProperties({
    translator: translator as never,
    isShown: ({ kind, text }) => text !== undefined && kind !== 'results',
    write,
    withConfig,
    configKeys: ['temperature', 'maxOutputTokens', 'topP', 'topK', 'stopSequences', 'presencePenalty', 'frequencyPenalty'],
  });
});

describe('any response', () => {
  testResponseProperties<AIMessage>({
    translator: translator as never,
    write({ text, hasThought, ids = [] }) {
      const thought = { type: 'thinking', thinking: 'hm', signature: 'sig' };
      const content = hasThought ? [thought, ...(text === undefined ? [] : [{ type: 'text', text }])] : (text ?? '');
      return new AIMessage({
        id: 'run-1',
        content: content as string,
        tool_calls: ids.map((id) => ({ type: 'tool_call', id, name: 'read_file', args: { path: 'a' } })),
        invalid_tool_calls: [],
        additional_kwargs: {},
        response_metadata: { finish_reason: ids.length > 0 ? 'tool_calls' : 'stop', model_name: 'm' },
      });
    },
  });
});

test('a system message that a hook adds is joined with the system prompt, whose parts stay', () => {
  const cached = { type: 'text' as const, text: 'Be brief.', cache_control: { type: 'ephemeral' } };
  const request = { systemMessage: new SystemMessage({ content: [cached] }), messages: [new HumanMessage('Hi')], tools: [] };
  const shown = translator.toHookRequest(request);
  const messages = [...(shown.messages ?? []), { role: 'system' as const, content: 'No secrets.' }];
  const changed = translator.fromHookRequest({ ...shown, messages }, request);
  expect(changed.systemMessage?.content).toEqual([cached, { type: 'text', text: '\n\nNo secrets.' }]);
  expect(changed.messages).toBe(request.messages);
  const empty = translator.fromHookRequest({ messages }, { ...request, systemMessage: new SystemMessage('') });
  expect(empty.systemMessage?.content).toBe('Be brief.\n\nNo secrets.');
});

test('hooks read name, provider and settings of the model, also inside a wrapper; settings of the call come first', () => {
  const model = { model: 'm-1', temperature: 0.5, maxTokens: 100, getLsParams: () => ({ ls_provider: 'acme' }) };
  const wrapped = langChainTranslator({ bound: model });
  expect(wrapped.provider).toBe('acme');
  const request = { messages: [], tools: [], modelSettings: { temperature: 0 } };
  expect(wrapped.toHookRequest(request)).toEqual({ model: 'm-1', messages: [], config: { temperature: 0, maxOutputTokens: 100 } });
  const changed = wrapped.fromHookRequest({ config: { temperature: 0, maxOutputTokens: 10, topP: 1 } }, request);
  expect(changed).toEqual({ ...request, modelSettings: { temperature: 0, maxTokens: 10, topP: 1 } });
  const broken = {
    getLsParams: () => {
      throw new Error('needs options');
    },
  };
  expect(langChainTranslator(broken).toHookRequest(request).model).toBeUndefined();
});

test('tools that are not selected are not offered; tools of the provider stay unless no tool is allowed', () => {
  const named = (name: string) => ({ name, invoke: () => '' });
  const [read, write, search] = [named('read_file'), named('write_file'), { type: 'web_search' }];
  const described = { type: 'function', function: { name: 'described' } };
  const request = { messages: [], tools: [read, write, search, described], toolChoice: 'auto' };
  expect(translator.toolNames(request)).toEqual(['read_file', 'write_file', 'described']);
  const some = translator.withToolConfig(request, { mode: 'ANY', allowedFunctionNames: ['read_file'] });
  expect(some).toEqual({ ...request, tools: [read, search], toolChoice: 'required' });
  expect(some.tools[0]).toBe(read);
  expect(translator.withToolConfig(request, { mode: 'NONE' })).toEqual({ messages: [], tools: [] });
  expect(translator.withToolConfig(request, { mode: 'AUTO' })).toBe(request);
  const forced = { ...request, toolChoice: { type: 'function', function: { name: 'write_file' } } };
  expect(translator.toHookRequest(forced).toolConfig).toEqual({ mode: 'ANY', allowedFunctionNames: ['write_file'] });
});

test('fields in which an integration repeats the answer are dropped with the old text', () => {
  const response = new AIMessage({
    content: 'The key is K.',
    additional_kwargs: { parsed: { key: 'K' }, audio: { transcript: 'K' }, __raw_response: 'K', reasoning: 'kept' },
    response_metadata: { output: [{ text: 'K' }], logprobs: ['K'], finish_reason: 'stop', model_name: 'm' },
    usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  } as never);
  const shown = translator.toHookResponse(response);
  expect(shown).toMatchObject({ text: 'The key is K.', usageMetadata: { promptTokenCount: 1, totalTokenCount: 3 } });
  const changed = translator.fromHookResponse({ ...shown, text: 'The key is gone.' }, response, { replacesCandidates: false });
  expect(JSON.stringify(changed)).not.toMatch(/K\b/);
  expect(changed.additional_kwargs).toEqual({ reasoning: 'kept' });
  expect(changed.response_metadata).toEqual({ finish_reason: 'stop', model_name: 'm' });
  expect(changed.usage_metadata).toEqual(response.usage_metadata);
});

test('a call that a hook takes away leaves no part and no copy; one that it adds has an id', () => {
  const call = (id: string) => ({ type: 'tool_call' as const, id, name: 'run', args: { id } });
  const response = new AIMessage({
    content: [
      { type: 'text', text: 'Both.' },
      { type: 'tool_use', id: 'call-1', name: 'run', input: {} },
      { type: 'tool_use', id: 'call-2', name: 'run', input: {} },
    ],
    tool_calls: [call('call-1'), call('call-2')],
    additional_kwargs: { tool_calls: [] as never },
    response_metadata: { stop_reason: 'tool_use' },
  });
  expect(translator.toolCalls?.(response)).toEqual([
    { id: 'call-1', name: 'run', args: { id: 'call-1' } },
    { id: 'call-2', name: 'run', args: { id: 'call-2' } },
  ]);
  const parts = [
    'Both.',
    { functionCall: { name: 'run', args: { id: 'call-2' } } },
    { functionCall: { name: 'read', args: { path: 'a' } } },
  ];
  const candidates = [{ content: { role: 'model', parts } }];
  const changed = translator.fromHookResponse({ candidates } as never, response, { replacesCandidates: true });
  expect(JSON.stringify(changed)).not.toContain('call-1');
  expect(changed.tool_calls).toEqual([
    call('call-2'),
    { type: 'tool_call', id: expect.stringMatching(/^call_/), name: 'read', args: { path: 'a' } },
  ]);
  expect(changed.response_metadata).toEqual({ stop_reason: 'tool_use' });
  const none = translator.fromHookResponse({ candidates: [{ content: { role: 'model', parts: ['No.'] } }] } as never, response, {
    replacesCandidates: true,
  });
  expect([none.text, none.tool_calls, none.response_metadata]).toEqual(['No.', [], { stop_reason: 'end_turn' }]);
});

test('a response that a hook provides is an AIMessage', () => {
  const response = translator.fromHookResponse({ text: 'Known.' }, undefined, { replacesCandidates: true });
  expect(AIMessage.isInstance(response)).toBe(true);
  expect([response.text, response.tool_calls]).toEqual(['Known.', []]);
  expect(translator.fromHookResponse({}, undefined, { replacesCandidates: true }).text).toBe('');
});
