import type { LLMRequest } from '@tenterhook/protocol';
import { type Fields, fieldsOf, listOf, withFields } from '../fields.js';
import { type ConfigNames, changedConfig, changedModel, showConfig, showRequest } from '../hook-request.js';
import type { InferredFromCall, LlmTranslator } from '../llm-translator.js';
import { rewriteMessages } from '../rewrite-messages.js';
import { openAiMessages } from './messages.js';
import { changeOpenAiResponse, openAiToolCalls, showOpenAiResponse } from './response.js';
import { openAiToolNames, showOpenAiToolConfig, withOpenAiToolConfig } from './tools.js';

/**
 * The required fields of `ChatCompletionCreateParams` of `openai`. That type is not imported, because the host may have another version of
 * the SDK, or none.
 */
export interface OpenAiChatRequest {
  readonly model: string;
  readonly messages: readonly object[];
}

/** The required fields of the SDK's `ChatCompletion`. */
export interface OpenAiChatResponse {
  readonly choices: readonly object[];
}

/** Translates chat completions, of `openai` and of the many services that use the same format. */
export function openAiChatTranslator<
  Request extends OpenAiChatRequest = InferredFromCall,
  Response extends OpenAiChatResponse = InferredFromCall,
>(): LlmTranslator<Request, Response> {
  return {
    name: 'openai-chat',
    // There is no `provider`, because dozens of services use this format. A wrong name would mislead hooks that decide by provider.
    toHookRequest,
    fromHookRequest: (changed, original) => changeRequest(changed, original),
    toHookResponse: showOpenAiResponse,
    fromHookResponse: (changed, original, change) => changeOpenAiResponse(changed, original, change) as Response,
    toolCalls: openAiToolCalls,
    toolNames: (request) => openAiToolNames(fieldsOf(request)),
    withToolConfig: withOpenAiToolConfig,
  };
}

function toHookRequest(request: OpenAiChatRequest): LLMRequest {
  const fields = fieldsOf(request);
  const messages = listOf(request.messages);
  return showRequest({
    model: request.model,
    messages: messages.map(openAiMessages(messages).show),
    config: showConfig(fields, configNames(fields)),
    toolConfig: showOpenAiToolConfig(fields),
  });
}

function changeRequest<Request extends OpenAiChatRequest>(changed: LLMRequest, original: Request): Request {
  const fields = fieldsOf(original);
  const messages = listOf(original.messages);
  const rewritten = rewriteMessages(openAiMessages(messages), messages, changed.messages);
  const request = withFields(original, {
    ...changedModel(changed),
    ...changedConfig(fields, changed.config, configNames(fields)),
    ...(rewritten === messages ? {} : { messages: rewritten }),
  });
  return changed.toolConfig === undefined ? request : withOpenAiToolConfig(request, changed.toolConfig);
}

/**
 * Maps the values of `config` to the fields of this API, which has no `topK`. The limit of tokens has two fields. Newer models refuse the
 * older field, and other services know only that one. So the field that the request uses is written.
 */
function configNames({ max_tokens, max_completion_tokens }: Fields): ConfigNames {
  const isOlder = typeof max_tokens === 'number' && typeof max_completion_tokens !== 'number';
  return {
    temperature: 'temperature',
    maxOutputTokens: isOlder ? 'max_tokens' : 'max_completion_tokens',
    topP: 'top_p',
    stopSequences: 'stop',
    candidateCount: 'n',
    presencePenalty: 'presence_penalty',
    frequencyPenalty: 'frequency_penalty',
  };
}
