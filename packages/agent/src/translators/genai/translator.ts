import type { LLMRequest } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { fieldsOf, withFields } from '../fields.js';
import { type ConfigNames, changedConfig, changedModel, showConfig, showRequest } from '../hook-request.js';
import type { InferredFromCall, LlmTranslator } from '../llm-translator.js';
import { rewriteMessagesAndSystem } from '../rewrite-messages.js';
import { genAiMessages, readContents, readSystem, writeContents, writeSystem } from './messages.js';
import { changeGenAiResponse, genAiToolCalls, showGenAiResponse } from './response.js';
import { genAiToolNames, showGenAiToolConfig, withGenAiToolConfig } from './tools.js';

/**
 * The required fields of `GenerateContentParameters` of `@google/genai`. That type is not imported, because the host may have another
 * version of the SDK, or none.
 */
export interface GenAiRequest {
  readonly model: string;
  readonly contents: unknown;
  readonly config?: object | undefined;
}

/** The required fields of the SDK's `GenerateContentResponse`. */
export interface GenAiResponse {
  readonly candidates?: readonly object[] | undefined;
}

const configNames: ConfigNames = {
  temperature: 'temperature',
  maxOutputTokens: 'maxOutputTokens',
  topP: 'topP',
  topK: 'topK',
  stopSequences: 'stopSequences',
  candidateCount: 'candidateCount',
  presencePenalty: 'presencePenalty',
  frequencyPenalty: 'frequencyPenalty',
};

/**
 * Translates the requests and responses of `generateContent` of `@google/genai`. Hooks see `systemInstruction` as the first message, and
 * all system messages that a hook returns are written to it. `contents` keep their form (a text, parts, `Content`) if possible.
 */
export function genAiTranslator<
  Request extends GenAiRequest = InferredFromCall,
  Response extends GenAiResponse = InferredFromCall,
>(): LlmTranslator<Request, Response> {
  return {
    name: 'genai',
    // Both services that the SDK supports are Google's.
    provider: 'google',
    toHookRequest,
    fromHookRequest: (changed, original) => changeRequest(changed, original),
    toHookResponse: showGenAiResponse,
    fromHookResponse: (changed, original, change) => changeGenAiResponse(changed, original, change) as Response,
    toolCalls: genAiToolCalls,
    toolNames: (request) => genAiToolNames(fieldsOf(request.config)),
    withToolConfig: (request, toolConfig) => withConfig(request, withGenAiToolConfig(fieldsOf(request.config), toolConfig)),
  };
}

function toHookRequest(request: GenAiRequest): LLMRequest {
  const config = fieldsOf(request.config);
  return showRequest({
    model: request.model,
    messages: readMessages(request).map(genAiMessages.show),
    config: showConfig(config, configNames),
    toolConfig: showGenAiToolConfig(config),
  });
}

function changeRequest<Request extends GenAiRequest>(changed: LLMRequest, original: Request): Request {
  const { contents, systemInstruction } = changedMessages(changed, original);
  const config = withFields(fieldsOf(original.config), {
    ...changedConfig(fieldsOf(original.config), changed.config, configNames),
    systemInstruction,
  });
  const withMessages = withFields(original, { contents, ...changedModel(changed) });
  return withConfig(withMessages, changed.toolConfig === undefined ? config : withGenAiToolConfig(config, changed.toolConfig));
}

function changedMessages(changed: LLMRequest, original: GenAiRequest) {
  const { systemInstruction } = fieldsOf(original.config);
  const { contents } = original;
  const { messages, systems } = rewriteMessagesAndSystem(genAiMessages, readMessages(original), changed.messages);
  return {
    contents: messages === undefined ? contents : writeContents(messages, contents),
    systemInstruction: systems === undefined ? systemInstruction : writeSystem(systems, systemInstruction),
  };
}

function readMessages({ contents, config }: GenAiRequest) {
  return [...readSystem(fieldsOf(config)['systemInstruction']), ...readContents(contents)];
}

/** Writes the `config`. A request without a `config` gets one only if there are fields to write. */
function withConfig<Request extends GenAiRequest>(request: Request, config: Readonly<Record<string, unknown>>): Request {
  return !isPlainObject(request.config) && Object.keys(config).length === 0 ? request : withFields(request, { config });
}
