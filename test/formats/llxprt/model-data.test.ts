import { type OpenAiChatRequest, type OpenAiChatResponse, openAiChatTranslator } from '@tenterhook/agent';
import type { AfterModelHookOutput, BeforeModelHookOutput, LLMRequest } from '@tenterhook/protocol';
import { llmRequestSchema, llmResponseSchema, toolConfigSchema } from '@tenterhook/protocol/internal';
import { fireEvent, outcomeAt, says, warningCodes } from '../../support/fire-hooks.js';
import { fireEveryEvent, request, response, type SeenInputs } from '../../support/fired-events.js';

/** Another value for every field that hooks can write, so that the result shows what the hook wrote and not what was sent. */
const otherRequest = {
  model: 'm-2',
  messages: [
    { role: 'system', content: 'be long' },
    { role: 'user', content: 'goodbye' },
    { role: 'model', content: 'bye' },
  ],
  config: {
    temperature: 0.7,
    maxOutputTokens: 801,
    topP: 0.8,
    topK: 41,
    stopSequences: ['STOP'],
    candidateCount: 3,
    presencePenalty: 0.75,
    frequencyPenalty: 0.125,
  },
  toolConfig: { mode: 'ANY', allowedFunctionNames: ['write_file'] },
};
const otherResponse = {
  text: 'good night',
  candidates: [
    {
      content: { role: 'model', parts: ['good ', 'night'] },
      finishReason: 'MAX_TOKENS',
      index: 1,
      safetyRatings: [{ category: 'violence', probability: 'HIGH' }],
    },
  ],
  usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 20, totalTokenCount: 50 },
};
/** The form in the API reference, which hooks may print (decision 14). */
const apiRequest = {
  model: 'm-3',
  systemInstruction: { role: 'system', parts: [{ text: 'be ' }, 'kind'] },
  contents: [
    { role: 'user', parts: ['what ', { text: 'now?' }] },
    { role: 'model', parts: ['this'] },
  ],
  generationConfig: { temperature: 0.1, maxOutputTokens: 10, topP: 0.3, topK: 7, stopSequences: ['X'] },
};
const apiResponse = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'good ' }, 'morning'] }, finishReason: 'SAFETY' }],
};

type Fields = Record<string, unknown>;
let seen: SeenInputs;
let returned: Fields;
let converted: Fields;
let answered: Fields;
let convertedAnswer: Fields;

beforeAll(async () => {
  [seen, returned, converted, answered, convertedAnswer] = (await Promise.all([
    fireEveryEvent(),
    rewrittenBy('BeforeModel', { llm_request: otherRequest }).then((specific) => specific?.['llm_request']),
    rewrittenBy('BeforeModel', { llm_request: apiRequest }).then((specific) => specific?.['llm_request']),
    rewrittenBy('AfterModel', { llm_response: otherResponse }).then((specific) => specific?.['llm_response']),
    rewrittenBy('AfterModel', { llm_response: apiResponse }).then((specific) => specific?.['llm_response']),
  ])) as [SeenInputs, Fields, Fields, Fields, Fields];
});

describe('a model request, as hooks read it and as they return it', () => {
  test.each<[path: string, wrong?: unknown]>([
    ['model'],
    ['messages'],
    ['messages.0.role'],
    ['messages.1.role'],
    ['messages.2.role'],
    ['config', 'hot'],
    ['config.temperature'],
    ['config.maxOutputTokens'],
    ['config.topP'],
    ['config.topK'],
    ['config.stopSequences'],
    ['config.candidateCount'],
    ['config.presencePenalty'],
    ['config.frequencyPenalty'],
    ['toolConfig', 'AUTO'],
    ['toolConfig.mode'],
    ['toolConfig.allowedFunctionNames'],
  ])('%s', async (path, wrong = { not: 'this' }) => {
    expect(valueAt(request, path)).toBeDefined();
    for (const eventName of ['BeforeModel', 'AfterModel', 'BeforeToolSelection'] as const) {
      expect(valueAt(seen.inputs[eventName]['llm_request'], path)).toEqual(valueAt(request, path));
    }
    expect(valueAt(returned, path)).toEqual(valueAt(otherRequest, path));
    expect(await isRefused('BeforeModel', { llm_request: withValueAt(otherRequest, path, wrong) })).toBe(true);
  });

  test('a text, and structured content of a hook reaches the model as its JSON text', async () => {
    for (const eventName of ['BeforeModel', 'AfterModel', 'BeforeToolSelection'] as const) {
      expect(valueAt(seen.inputs[eventName]['llm_request'], 'messages.0.content')).toBe('be brief');
    }
    expect(valueAt(returned, 'messages.0.content')).toBe('be long');
    const content = [{ type: 'text', text: 'be kind' }, { cites: 7 }];
    const rewritten = await rewrittenBy('BeforeModel', { llm_request: { messages: [{ role: 'user', content }] } });
    const sent = openAiChatTranslator<OpenAiChatRequest, OpenAiChatResponse>().fromHookRequest(rewritten?.['llm_request'] as LLMRequest, {
      model: 'm-1',
      messages: [{ role: 'user', content: 'hello' }],
    });
    expect(sent.messages).toEqual([{ role: 'user', content: JSON.stringify(content) }]);
  });

  test('a role is user, model or system, and nothing else', () => {
    const accepts = (role: string) => llmRequestSchema.safeParse({ messages: [{ role, content: '' }] }).success;
    expect(['user', 'model', 'system', 'assistant', 'tool'].filter(accepts)).toEqual(['user', 'model', 'system']);
  });

  test.each<[path: string, value: unknown]>([
    ['model', 'm-3'],
    ['messages.length', 3],
    ['messages.1.role', 'user'],
    ['messages.2.role', 'model'],
    ['messages.2.content', 'this'],
    ['messages.1.content', 'what now?'],
    ['messages.0', { role: 'system', content: 'be kind' }],
    ['messages.0.role', 'system'],
    ['messages.0.content', 'be kind'],
    ['config', { ...request.config, ...apiRequest.generationConfig }],
    ['config.temperature', 0.1],
    ['config.maxOutputTokens', 10],
    ['config.topP', 0.3],
    ['config.topK', 7],
    ['config.stopSequences', ['X']],
  ])('%s is taken from a hook and converted, to %s (decision 14)', (path, value) => {
    expect(valueAt(converted, path)).toEqual(value);
  });
});

describe('a model response, as hooks read it and as they return it', () => {
  test.each<[path: string]>([
    ['text'],
    ['candidates'],
    ['candidates.0.content'],
    ['candidates.0.content.role'],
    ['candidates.0.content.parts'],
    ['candidates.0.finishReason'],
    ['candidates.0.index'],
    ['candidates.0.safetyRatings'],
    ['candidates.0.safetyRatings.0.category'],
    ['candidates.0.safetyRatings.0.probability'],
    ['usageMetadata'],
    ['usageMetadata.promptTokenCount'],
    ['usageMetadata.candidatesTokenCount'],
    ['usageMetadata.totalTokenCount'],
  ])('%s', async (path) => {
    expect(valueAt(response, path)).toBeDefined();
    expect(valueAt(seen.inputs.AfterModel['llm_response'], path)).toEqual(valueAt(response, path));
    expect(valueAt(answered, path)).toEqual(valueAt(otherResponse, path));
    const wrong = /Count$|index$/.test(path) ? 'seven' : 7.5;
    expect(await isRefused('AfterModel', { llm_response: withValueAt(otherResponse, path, wrong) })).toBe(true);
    // The same schema applies to what an agent sends.
    expect(llmResponseSchema.safeParse(withValueAt(response, path, wrong)).success).toBe(false);
  });

  test.each(['STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER'])(
    'finishReason: %s is one, and passes through',
    async (finishReason) => {
      const llm_response = { candidates: [{ content: { role: 'model', parts: ['x'] }, finishReason }] };
      const result = await fireEvent('AfterModel', { llm_request: {}, llm_response: {} }, [says({ hookSpecificOutput: { llm_response } })]);
      expect((result.finalOutput as AfterModelHookOutput).getModifiedResponse()).toEqual(llm_response);
    },
  );

  test.each<[path: string, value: unknown]>([
    ['candidates.length', 1],
    ['candidates.0.content', { role: 'model', parts: ['good ', 'morning'] }],
    ['candidates.0.content.role', 'model'],
    ['candidates.0.content.parts.1', 'morning'],
    ['candidates.0.content.parts.0', 'good '],
    ['candidates.0.finishReason', 'SAFETY'],
  ])('%s is taken from a hook, as %s', (path, value) => {
    expect(valueAt(convertedAnswer, path)).toEqual(value);
  });
});

describe('a tool config', () => {
  test.each<[mode: string]>([['AUTO'], ['ANY'], ['NONE']])('%s is a mode that a hook may choose', async (mode) => {
    expect(await chosen({ mode })).toMatchObject({ mode });
    expect(toolConfigSchema.safeParse({ mode: mode.toLowerCase() }).success).toBe(false);
  });

  test('allowedFunctionNames: the names are a list of texts', async () => {
    expect(await chosen({ allowedFunctionNames: ['tool_name_1', 'tool_name_2'] })).toEqual({
      mode: 'AUTO',
      allowedFunctionNames: ['tool_name_1', 'tool_name_2'],
    });
    expect(await isRefused('BeforeToolSelection', { toolConfig: { allowedFunctionNames: 'tool_name_1' } })).toBe(true);
  });
});

/** Returns the request, or the response, after a hook has returned this. */
async function rewrittenBy(eventName: 'BeforeModel' | 'AfterModel', hookSpecificOutput: Record<string, unknown>) {
  const fields = { llm_request: request, ...(eventName === 'AfterModel' ? { llm_response: response } : {}) };
  return (await fireEvent(eventName, fields, [says({ hookSpecificOutput })])).finalOutput?.hookSpecificOutput;
}

/** Returns the tool config after a hook has returned this. */
async function chosen(toolConfig: Record<string, unknown>): Promise<unknown> {
  const result = await fireEvent('BeforeToolSelection', { llm_request: {} }, [says({ hookSpecificOutput: { toolConfig } })]);
  return result.finalOutput?.hookSpecificOutput?.['toolConfig'];
}

/** Tests whether a hook that returns this gets a warning about the type of a field, and changes nothing. */
async function isRefused(
  eventName: 'BeforeModel' | 'AfterModel' | 'BeforeToolSelection',
  hookSpecificOutput: Record<string, unknown>,
): Promise<boolean> {
  const fields = { llm_request: {}, ...(eventName === 'AfterModel' ? { llm_response: {} } : {}) };
  const result = await fireEvent(eventName, fields, [says({ hookSpecificOutput })]);
  const refused = warningCodes(outcomeAt(result, 0)).includes('wrong_type');
  expect((result.finalOutput as BeforeModelHookOutput).hookSpecificOutput === undefined).toBe(refused);
  return refused;
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((current, key) => (current as Record<string, unknown> | undefined)?.[key], value);
}

function withValueAt(value: unknown, path: string, replacement: unknown): unknown {
  const [key, ...rest] = path.split('.') as [string, ...string[]];
  const inner = (value as Record<string, unknown>)[key];
  const put = rest.length === 0 ? replacement : withValueAt(inner, rest.join('.'), replacement);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? put : item));
  return { ...(value as object), [key]: put };
}
