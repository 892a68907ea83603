import type { LLMRequest } from '@tenterhook/protocol';
import { type Fields, fieldsOf, withFields } from '../fields.js';
import { type ConfigNames, changedConfig, changedModel, showConfig, showRequest } from '../hook-request.js';
import type { InferredFromCall, LlmTranslator } from '../llm-translator.js';
import { rewriteMessagesAndSystem } from '../rewrite-messages.js';
import { anthropicMessages, readAnthropicMessages, writeSystem } from './messages.js';
import { anthropicToolCalls, changeAnthropicResponse, showAnthropicResponse } from './response.js';
import { anthropicToolNames, showAnthropicToolConfig, withAnthropicToolConfig } from './tools.js';

/**
 * The required fields of `MessageCreateParams` of `@anthropic-ai/sdk`. That type is not imported, because the host may have another version
 * of the SDK, or none.
 */
export interface AnthropicRequest {
  readonly model: string;
  readonly messages: readonly object[];
}

/** The required fields of the SDK's `Message`. */
export interface AnthropicResponse {
  readonly content: readonly object[];
}

/**
 * Translates the requests and responses of the Messages API of `@anthropic-ai/sdk`. Hooks see `system` as the first message. All system
 * messages that a hook returns are written to `system`, because not every model accepts them among the other messages.
 */
export function anthropicTranslator<
  Request extends AnthropicRequest = InferredFromCall,
  Response extends AnthropicResponse = InferredFromCall,
>(): LlmTranslator<Request, Response> {
  return {
    name: 'anthropic',
    // The usual provider. An agent that calls another service with the same format sets `modelProvider`.
    provider: 'anthropic',
    toHookRequest,
    fromHookRequest: (changed, original) => changeRequest(changed, original),
    toHookResponse: showAnthropicResponse,
    fromHookResponse: (changed, original, change) => changeAnthropicResponse(changed, original, change) as Response,
    toolCalls: anthropicToolCalls,
    toolNames: (request) => anthropicToolNames(fieldsOf(request)),
    withToolConfig: withAnthropicToolConfig,
  };
}

function toHookRequest(request: AnthropicRequest): LLMRequest {
  const fields = fieldsOf(request);
  return showRequest({
    model: request.model,
    messages: readAnthropicMessages(fields).map(anthropicMessages.show),
    config: showConfig(fields, configNames(fields)),
    toolConfig: showAnthropicToolConfig(fields),
  });
}

function changeRequest<Request extends AnthropicRequest>(changed: LLMRequest, original: Request): Request {
  const fields = fieldsOf(original);
  const request = withFields(original, {
    ...changedModel(changed),
    ...changedConfig(fields, changed.config, configNames(fields)),
    ...changedMessages(changed, fields),
  });
  return changed.toolConfig === undefined ? request : withAnthropicToolConfig(request, changed.toolConfig);
}

function changedMessages(changed: LLMRequest, original: Fields) {
  const { messages, systems } = rewriteMessagesAndSystem(anthropicMessages, readAnthropicMessages(original), changed.messages);
  return {
    ...(messages === undefined ? {} : { messages: messages.map(({ message }) => message) }),
    ...(systems === undefined ? {} : { system: writeSystem(systems) }),
  };
}

/**
 * Maps the values of `config` to the fields of this API, which has no candidate count and no penalties. Some models refuse temperature,
 * `top_p` and `top_k`, and so does the API from version 2026-10-21 on. So a hook can set these only if the request already contains one.
 */
function configNames({ temperature, top_p, top_k }: Fields): ConfigNames {
  const canSample = [temperature, top_p, top_k].some((value) => typeof value === 'number');
  return {
    maxOutputTokens: 'max_tokens',
    stopSequences: 'stop_sequences',
    ...(canSample ? { temperature: 'temperature', topP: 'top_p', topK: 'top_k' } : {}),
  };
}
