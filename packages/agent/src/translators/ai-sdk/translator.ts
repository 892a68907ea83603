import type { LLMRequest } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { fieldsOf, listOf, withFields } from '../fields.js';
import { type ConfigNames, changedConfig, showConfig, showRequest } from '../hook-request.js';
import type { InferredFromCall, LlmTranslator } from '../llm-translator.js';
import { rewriteMessages } from '../rewrite-messages.js';
import { aiSdkMessages } from './messages.js';
import { aiSdkToolCalls, changeAiSdkResponse, showAiSdkResponse } from './response.js';
import { aiSdkToolNames, showAiSdkToolConfig, withAiSdkToolConfig } from './tools.js';
import type { SpecificationVersion } from './versions.js';

/**
 * The required fields of the call options that the AI SDK passes to `doGenerate` and `doStream` of a model. The types of `@ai-sdk/provider`
 * are not imported, because the host may have another version of the SDK.
 */
export interface AiSdkRequest {
  readonly prompt: readonly object[];
}

/** The required fields of what `doGenerate` returns. */
export interface AiSdkResponse {
  readonly content: readonly object[];
}

/** The model of the requests, because the requests do not name it. A model object of the AI SDK is one. */
export interface AiSdkModel {
  /** The form of a response that a hook provides. @default 'v4' */
  readonly specificationVersion?: string | undefined;
  /** The name of the model, for hooks. @default hooks receive no name */
  readonly modelId?: string | undefined;
  /** The provider of the model, for hooks. @default unknown */
  readonly provider?: string | undefined;
}

/**
 * Translates the requests and responses of language models of the AI SDK (`ai` 5 to 7; v2, v3 and v4 of `@ai-sdk/provider`). A hook cannot
 * choose another model, because the request belongs to one model object.
 */
export function aiSdkTranslator<Request extends AiSdkRequest = InferredFromCall, Response extends AiSdkResponse = InferredFromCall>(
  model: AiSdkModel = {},
): LlmTranslator<Request, Response> {
  const version = toVersion(model.specificationVersion);
  return {
    name: 'ai-sdk',
    ...omitUndefined({ provider: model.provider }),
    toHookRequest: (request) => showAiSdkRequest(request, model.modelId),
    fromHookRequest: changeRequest,
    toHookResponse: showAiSdkResponse,
    fromHookResponse: (changed, original, change) => changeAiSdkResponse(changed, original, change, version) as Response,
    toolCalls: aiSdkToolCalls,
    toolNames: (request) => aiSdkToolNames(fieldsOf(request)),
    withToolConfig: withAiSdkToolConfig,
  };
}

function showAiSdkRequest(request: AiSdkRequest, model: string | undefined): LLMRequest {
  const fields = fieldsOf(request);
  return showRequest({
    model,
    messages: listOf(request.prompt).map(aiSdkMessages.show),
    config: showConfig(fields, configNames),
    toolConfig: showAiSdkToolConfig(fields),
  });
}

function changeRequest<Request extends AiSdkRequest>(changed: LLMRequest, original: Request): Request {
  const fields = fieldsOf(original);
  const prompt = listOf(original.prompt);
  const rewritten = rewriteMessages(aiSdkMessages, prompt, changed.messages);
  const request = withFields(original, {
    ...changedConfig(fields, changed.config, configNames),
    ...(rewritten === prompt ? {} : { prompt: rewritten }),
  });
  return changed.toolConfig === undefined ? request : withAiSdkToolConfig(request, changed.toolConfig);
}

const configNames: ConfigNames = {
  temperature: 'temperature',
  maxOutputTokens: 'maxOutputTokens',
  topP: 'topP',
  topK: 'topK',
  stopSequences: 'stopSequences',
  presencePenalty: 'presencePenalty',
  frequencyPenalty: 'frequencyPenalty',
};

function toVersion(version: string | undefined): SpecificationVersion {
  return version === 'v2' || version === 'v3' ? version : 'v4';
}
