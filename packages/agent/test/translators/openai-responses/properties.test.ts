import type OpenAI from 'openai-v7';
import { openAiResponsesTranslator } from '../../../src/translators/openai-responses/translator.js';
import type { Turn } from '../conversation.js';
import { type Config, testRequestProperties, testResponseProperties } from '../translator-properties.js';

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Item = OpenAI.Responses.ResponseInputItem;
type Output = OpenAI.Responses.ResponseOutputItem;

/** The system text of odd conversations is in `instructions`, the one of the others is an item. */
function write(turns: readonly Turn[]): Params {
  const system = turns.find(({ kind }) => kind === 'system');
  const own = system !== undefined && !system.isList ? { instructions: system.text ?? '' } : {};
  const items = turns.filter((turn) => turn !== system || turn.isList);
  return { model: 'm', store: false, metadata: { a: 'b' }, ...own, input: items.flatMap(itemsOf) };
}

function itemsOf({ kind, text, hasImage, hasThought, isList, ids = [] }: Turn): Item[] {
  const thoughts: Item[] = hasThought ? [{ type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'x' }] : [];
  const part = { type: 'input_text' as const, text: text ?? '' };
  switch (kind) {
    case 'system':
      return [{ role: 'developer', content: [part] }];
    case 'user': {
      if (!hasImage) return [{ role: 'user', content: isList ? [part] : (text ?? '') }];
      const image = { type: 'input_image' as const, detail: 'low' as const, image_url: 'data:image/png;base64,AAAA' };
      return [{ type: 'message', role: 'user', content: text === undefined ? [image] : [image, part] }];
    }
    case 'model':
      // Without a thought: it cannot be known whether a call directly behind the answer needs it, so it would stay with the call.
      return [isList ? answer(text ?? '') : { role: 'assistant', content: text ?? '' }];
    case 'call': {
      const calls = ids.map((id): Item => ({ type: 'function_call', call_id: id, name: 'read_file', arguments: '{"path":"a"}' }));
      return [...thoughts, ...(text === undefined ? [] : [answer(text)]), ...calls];
    }
    case 'results':
      return ids.map((id) => ({ type: 'function_call_output', call_id: id, output: text ?? 'done' }));
  }
}

function answer(text: string): OpenAI.Responses.ResponseOutputMessage {
  return {
    type: 'message',
    id: 'msg',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
}

describe('any request of the Responses API', () => {
  testRequestProperties({
    translator: openAiResponsesTranslator<Params, never>(),
    // Results are items of their own, whose text is the tool's, not the user's.
    isShown: ({ kind, text }) => text !== undefined && kind !== 'results',
    write,
    withConfig,
    configKeys: ['temperature', 'maxOutputTokens', 'topP'],
  });
});

describe('any response of the Responses API', () => {
  testResponseProperties({ translator: openAiResponsesTranslator<never, OpenAI.Responses.Response>(), write: responseOf });
});

function withConfig(request: Params, { temperature, maxOutputTokens, topP }: Config): Params {
  return { ...request, temperature: temperature ?? null, max_output_tokens: maxOutputTokens ?? null, top_p: topP ?? null };
}

function responseOf({ text, hasThought, ids = [] }: Turn): OpenAI.Responses.Response {
  const thoughts: Output[] = hasThought ? [{ type: 'reasoning', id: 'rs', summary: [] }] : [];
  const answers: Output[] = text === undefined ? [] : [{ ...answer(text), id: expect.stringMatching(/^msg_/) }];
  const calls = ids.map((id): Output => ({ type: 'function_call', call_id: id, name: 'read_file', arguments: '{}' }));
  const output = [...thoughts, ...answers, ...calls];
  return { id: 'r', object: 'response', model: 'm', status: 'completed', output, output_text: text ?? '' } as OpenAI.Responses.Response;
}
