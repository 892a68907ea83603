import type Anthropic from '@anthropic-ai/sdk';
import type { GenerateContentParameters, GenerateContentResponse, GoogleGenAI } from '@google/genai';
import type OpenAI from 'openai';
import type OpenAIv7 from 'openai-v7';
import type { HookClient } from '../../src/client/hook-client.js';
import { callModelWithHooks } from '../../src/model/call-model-with-hooks.js';
import { anthropicTranslator } from '../../src/translators/anthropic/translator.js';
import { genAiTranslator } from '../../src/translators/genai/translator.js';
import type { LlmTranslator } from '../../src/translators/llm-translator.js';
import { openAiChatTranslator } from '../../src/translators/openai-chat/translator.js';
import { openAiResponsesTranslator } from '../../src/translators/openai-responses/translator.js';

type ChatParams = OpenAI.ChatCompletionCreateParamsNonStreaming;
type ChatCompletion = OpenAI.ChatCompletion;
type ResponseParams = OpenAIv7.Responses.ResponseCreateParamsNonStreaming;
type Response = OpenAIv7.Responses.Response;
type MessageParams = Anthropic.MessageCreateParamsNonStreaming;
type Message = Anthropic.Message;

/** Compiles only if both types are assignable to each other. */
function expectType<Expected>(): <Actual>(actual: Actual, same: Same<Actual, Expected>) => void {
  return () => undefined;
}
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

test("a translator takes an SDK's own types and gives them back", () => {
  const translators: [
    LlmTranslator<GenerateContentParameters, GenerateContentResponse>,
    LlmTranslator<ChatParams, ChatCompletion>,
    LlmTranslator<MessageParams, Message>,
    LlmTranslator<ResponseParams, Response>,
  ] = [genAiTranslator(), openAiChatTranslator(), anthropicTranslator(), openAiResponsesTranslator()];
  expect(translators.map(({ name }) => name)).toEqual(['genai', 'openai-chat', 'anthropic', 'openai-responses']);
});

// Compiling it is the test: the types of the outcome are those of the SDK, without a type annotation.
test('around a call of the SDK its types need not be named', () => {
  const compiled = async (client: HookClient, sdk: { genAi: GoogleGenAI; openAi: OpenAI; openAiV7: OpenAIv7; anthropic: Anthropic }) => {
    const genAiRequest: GenerateContentParameters = { model: 'm', contents: 'hi' };
    const genAi = await callModelWithHooks(client, {
      request: genAiRequest,
      translator: genAiTranslator(),
      call: (request) => sdk.genAi.models.generateContent(request),
    });
    expectType<GenerateContentParameters>()(genAi.request, true);
    expectType<GenerateContentResponse | undefined>()(genAi.response, true);

    const chatRequest: ChatParams = { model: 'm', messages: [] };
    const openAi = await callModelWithHooks(client, {
      request: chatRequest,
      translator: openAiChatTranslator(),
      call: (request, { signal }) => sdk.openAi.chat.completions.create(request, { signal }),
    });
    expectType<ChatParams>()(openAi.request, true);
    expectType<ChatCompletion | undefined>()(openAi.response, true);

    const responsesRequest: ResponseParams = { model: 'm', input: 'hi' };
    const responses = await callModelWithHooks(client, {
      request: responsesRequest,
      translator: openAiResponsesTranslator(),
      call: (request, { signal }) => sdk.openAiV7.responses.create(request, { signal }),
    });
    expectType<ResponseParams>()(responses.request, true);
    expectType<Response | undefined>()(responses.response, true);

    const messageRequest: MessageParams = { model: 'm', max_tokens: 1, messages: [] };
    const translator = anthropicTranslator();
    const anthropic = await callModelWithHooks(client, {
      request: messageRequest,
      translator,
      call: (request, { signal }) => sdk.anthropic.messages.create(request, { signal }),
    });
    expectType<MessageParams>()(anthropic.request, true);
    expectType<Message | undefined>()(anthropic.response, true);
  };
  expect(compiled).toBeDefined();
});
