import type { LLMRequest } from '@tenterhook/protocol';
import { type Fields, fieldsOf, withFields } from '../fields.js';
import { type ConfigNames, changedConfig, changedModel, showConfig, showRequest } from '../hook-request.js';
import type { InferredFromCall, LlmTranslator } from '../llm-translator.js';
import { rewriteMessagesAndSystem } from '../rewrite-messages.js';
import { anthropicMessages, readAnthropicMessages, writeSystem } from './messages.js';
import { anthropicToolCalls, changeAnthropicResponse, showAnthropicResponse } from './response.js';
import { anthropicToolNames, showAnthropicToolConfig, withAnthropicToolConfig } from './tools.js';

/**
 * The required fields of `MessageCreateParams` of `@anthropic-ai/sdk`. The type is not imported: a host may have another version, or none.
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
 * Translates the requests and responses of the Messages API of `@anthropic-ai/sdk`. `system` is shown as a first message. System messages
 * of a hook are written there, wherever they are in the list: not every model accepts them among the other messages.
 */
export function anthropicTranslator<
  Request extends AnthropicRequest = InferredFromCall,
  Response extends AnthropicResponse = InferredFromCall,
>(): LlmTranslator<Request, Response> {
  return {
    name: 'anthropic',
    // The maker of the models. Clouds serve these models in the same format, and other services imitate the format: an agent that uses one
    // of them sets `modelProvider`.
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
 * The names of the values of `config`. The format has no candidate count and no penalties. Newer models, and the API from version
 * 2026-10-21 on, refuse a request with temperature, `top_p` or `top_k`. So a hook can set these only if the request already contains one of
 * them.
 */
function configNames({ temperature, top_p, top_k }: Fields): ConfigNames {
  const canSample = [temperature, top_p, top_k].some((value) => typeof value === 'number');
  return {
    maxOutputTokens: 'max_tokens',
    stopSequences: 'stop_sequences',
    ...(canSample ? { temperature: 'temperature', topP: 'top_p', topK: 'top_k' } : {}),
  };
}
