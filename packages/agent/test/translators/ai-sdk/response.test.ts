import type { LLMResponse } from '@tenterhook/protocol';
import { aiSdkTranslator } from '../../../src/translators/ai-sdk/translator.js';
import { frozen } from '../freeze.js';
import { type ResponseV2, type ResponseV4, usageV4 } from './sdk-types.js';

const translator = aiSdkTranslator<never, ResponseV4>();
const reasoning = { type: 'reasoning' as const, text: 'hm', providerMetadata: { acme: { signature: 's' } } };
const text = {
  type: 'text' as const,
  text: 'the key is 42',
  citations: [{ source: { type: 'source' as const, sourceType: 'url' as const, id: 's', url: 'u' }, citedText: '42' }],
};
const call = {
  type: 'tool-call' as const,
  toolCallId: 'c1',
  toolName: 'read',
  input: '{"path":"a"}',
  providerMetadata: { acme: { x: 1 } },
};
const ofProvider = { type: 'tool-call' as const, toolCallId: 'p1', toolName: 'search', input: '{}', providerExecuted: true };
const response: ResponseV4 = frozen({
  content: [reasoning, text, call, ofProvider],
  structuredOutputText: 'the key is 42',
  finishReason: { unified: 'tool-calls', raw: 'tool_use' },
  usage: usageV4,
  providerMetadata: { acme: { logprobs: ['42'], responseId: 'r' } },
  response: { id: 'r', body: { text: 'the key is 42' } },
  warnings: [],
});
const from = (changed: LLMResponse, replacesCandidates = true) => translator.fromHookResponse(changed, response, { replacesCandidates });
const candidate = (parts: (string | Record<string, unknown>)[]) => ({ content: { role: 'model', parts } });

test('what hooks see: texts, the finish reason and the tokens', () => {
  expect(translator.toHookResponse(response)).toEqual({
    text: 'the key is 42',
    candidates: [{ content: { role: 'model', parts: ['the key is 42'] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  });
});

test('the tokens and the finish reason of v2', () => {
  const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 6 };
  const v2: ResponseV2 = { content: [], finishReason: 'length', usage, warnings: [] };
  const shown = aiSdkTranslator<never, ResponseV2>({ specificationVersion: 'v2' }).toHookResponse(v2);
  expect(shown.usageMetadata).toEqual({ promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 6 });
  expect(shown.candidates?.[0]?.finishReason).toBe('MAX_TOKENS');
});

test('the calls of the agent with their ids, without those of the provider', () => {
  expect(translator.toolCalls?.(response)).toEqual([{ name: 'read', args: { path: 'a' }, id: 'c1' }]);
});

test('a changed text leaves nothing of the old one, and keeps thoughts and calls', () => {
  const changed = from({ ...translator.toHookResponse(response), text: 'no key' }, false);
  expect(JSON.stringify(changed)).not.toContain('42');
  expect(changed).toEqual({
    content: [reasoning, { type: 'text', text: 'no key' }, call, ofProvider],
    finishReason: response.finishReason,
    usage: usageV4,
    providerMetadata: { acme: { responseId: 'r' } },
    response: { id: 'r' },
    warnings: [],
  });
});

test('returned candidates replace: the call is gone, and the finish reason no longer promises one', () => {
  const changed = from({ candidates: [candidate(['only text'])] });
  expect(changed.content).toEqual([{ type: 'text', text: 'only text' }]);
  expect(changed.finishReason).toEqual({ unified: 'stop', raw: undefined });
});

test('a returned call is the call of the model if it is the same, with its thought', () => {
  const same = from({ candidates: [candidate([{ functionCall: { name: 'read', args: { path: 'a' } } }])] });
  expect(same.content).toEqual([reasoning, call]);
  expect(same.content[1]).toBe(call);
  const other = from({ candidates: [candidate([{ functionCall: { name: 'read', args: { path: 'b' }, id: 'c9' } }])] });
  expect(other.content[1]).toEqual({ type: 'tool-call', toolCallId: 'c9', toolName: 'read', input: '{"path":"b"}' });
});

test.each([
  [
    'v2',
    {
      content: [{ type: 'text', text: 'hi' }],
      finishReason: 'stop',
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      warnings: [],
    },
  ],
  [
    'v4',
    {
      content: [{ type: 'text', text: 'hi' }],
      finishReason: { unified: 'stop', raw: undefined },
      usage: {
        inputTokens: { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: 0, text: undefined, reasoning: undefined },
      },
      warnings: [],
    },
  ],
])('a response without a call of the model is complete in %s', (specificationVersion, expected) => {
  const made = aiSdkTranslator<never, ResponseV4>({ specificationVersion });
  expect(made.fromHookResponse({ text: 'hi' }, undefined, { replacesCandidates: true })).toStrictEqual(expected);
  expect(made.fromHookResponse({}, undefined, { replacesCandidates: true })).toStrictEqual({ ...expected, content: [] });
});
