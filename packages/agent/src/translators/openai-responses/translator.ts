import type { LLMRequest } from '@tenterhook/protocol';
import { fieldsOf, withFields } from '../fields.js';
import { type ConfigNames, changedConfig, changedModel, showConfig, showRequest } from '../hook-request.js';
import type { InferredFromCall, LlmTranslator } from '../llm-translator.js';
import { changedItemMessages, readItemMessages, showItemMessage } from './messages.js';
import { changeResponsesResponse, responsesToolCalls, showResponsesResponse } from './response.js';
import { responsesItems } from './responses-items.js';
import { responsesToolNames, showResponsesToolConfig, withResponsesToolConfig } from './tools.js';

/**
 * The fields of `ResponseCreateParams` of `openai` that the translator reads. All are optional, as there: a stored prompt can contain the
 * rest. That type is not imported, because the host may have another version of the SDK, or none.
 */
export interface OpenAiResponsesRequest {
  readonly model?: string;
  readonly instructions?: string | null;
  readonly input?: string | readonly object[];
}

/** The required fields of the SDK's `Response`. */
export interface OpenAiResponsesResponse {
  readonly output: readonly object[];
}

/**
 * Translates requests and responses of the Responses API of `openai`. Hooks see `instructions` as the first message. They do not see what
 * `previous_response_id`, `conversation` and `prompt` refer to, because the service stores it.
 */
export function openAiResponsesTranslator<
  Request extends OpenAiResponsesRequest = InferredFromCall,
  Response extends OpenAiResponsesResponse = InferredFromCall,
>(): LlmTranslator<Request, Response> {
  return {
    name: 'openai-responses',
    // There is no `provider`, because other services and local servers use this format too.
    toHookRequest,
    fromHookRequest: (changed, original) => changeRequest(changed, original),
    toHookResponse: showResponsesResponse,
    fromHookResponse: (changed, original, change) => changeResponsesResponse(changed, original, change) as Response,
    toolCalls: responsesToolCalls,
    toolNames: (request) => responsesToolNames(fieldsOf(request)),
    withToolConfig: withResponsesToolConfig,
  };
}

/** Maps the values of `config` to the fields of this API, which has no `topK`, stop sequences, candidate count and penalties. */
const configNames: ConfigNames = { temperature: 'temperature', maxOutputTokens: 'max_output_tokens', topP: 'top_p' };

function toHookRequest(request: OpenAiResponsesRequest): LLMRequest {
  const fields = fieldsOf(request);
  return showRequest({
    model: request.model,
    messages: readItemMessages(responsesItems, fields).map(showItemMessage),
    config: showConfig(fields, configNames),
    toolConfig: showResponsesToolConfig(fields),
  });
}

function changeRequest<Request extends OpenAiResponsesRequest>(changed: LLMRequest, original: Request): Request {
  const fields = fieldsOf(original);
  const request = withFields(original, {
    ...changedModel(changed),
    ...changedConfig(fields, changed.config, configNames),
    ...changedItemMessages(responsesItems, changed.messages, fields),
  });
  return changed.toolConfig === undefined ? request : withResponsesToolConfig(request, changed.toolConfig);
}
