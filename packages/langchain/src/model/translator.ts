import type { LlmTranslator } from '@tenterhook/agent';
import {
  type ConfigNames,
  changedConfig,
  type Fields,
  fieldsOf,
  rewriteMessagesAndSystem,
  showConfig,
  showRequest,
} from '@tenterhook/agent/internal';
import type { LLMRequest } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { AIMessage } from '../langchain-library.js';
import { joinSystemMessages, langChainMessages, type RequestMessage } from './messages.js';
import { readModel, type ShownModel } from './model-fields.js';
import type { LangChainRequest } from './request.js';
import { changeResponse, showResponseMessage, toolCallsOf } from './response.js';
import { showToolChoice, toolNameOf, withToolConfig } from './tools.js';

/** The names that chat models of LangChain have for these values. */
const configNames: ConfigNames = {
  temperature: 'temperature',
  maxOutputTokens: 'maxTokens',
  topP: 'topP',
  topK: 'topK',
  stopSequences: 'stop',
  presencePenalty: 'presencePenalty',
  frequencyPenalty: 'frequencyPenalty',
};

/**
 * Translates calls of a chat model of LangChain, for agents with their own graph. `hooksMiddleware` uses it too. Hooks read the name, the
 * provider and the settings of `model`. They cannot change the model itself, so a name that they write is ignored.
 */
export function langChainTranslator(model?: unknown): LlmTranslator<LangChainRequest, AIMessage> {
  const shown = readModel(model);
  return {
    name: 'langchain',
    ...omitUndefined({ provider: shown.provider }),
    toHookRequest: (request) => toHookRequest(request, shown),
    fromHookRequest: (changed, original) => changeRequest(changed, original, shown),
    toHookResponse: showResponseMessage,
    fromHookResponse: changeResponse,
    toolCalls: toolCallsOf,
    toolNames: ({ tools }) => tools.flatMap((tool) => toolNameOf(tool) ?? []),
    withToolConfig,
  };
}

function toHookRequest(request: LangChainRequest, model: ShownModel): LLMRequest {
  return showRequest({
    model: model.name,
    messages: readMessages(request).map(langChainMessages.show),
    config: showConfig(settingsOf(request, model), configNames),
    toolConfig: showToolChoice(request.toolChoice),
  });
}

function changeRequest(changed: LLMRequest, original: LangChainRequest, model: ShownModel): LangChainRequest {
  const { messages, systems } = rewriteMessagesAndSystem(langChainMessages, readMessages(original), changed.messages);
  const settings = changedConfig(settingsOf(original, model), changed.config, configNames);
  const fields = {
    ...omitUndefined({
      messages: messages?.map(({ message }) => message),
    }),
    ...(systems === undefined ? {} : { systemMessage: joinSystemMessages(systems.map(({ message }) => message)) }),
    ...(Object.keys(settings).length === 0 ? {} : { modelSettings: { ...original.modelSettings, ...settings } }),
  };
  const rewritten = Object.keys(fields).length === 0 ? original : { ...original, ...fields };
  return changed.toolConfig === undefined ? rewritten : withToolConfig(rewritten, changed.toolConfig);
}

/** Returns the settings that the call would have: those of the model, and over them those of the call. */
function settingsOf({ modelSettings }: LangChainRequest, { fields }: ShownModel): Fields {
  return { ...fields, ...fieldsOf(modelSettings) };
}

function readMessages({ systemMessage, messages }: LangChainRequest): RequestMessage[] {
  const system = systemMessage === undefined ? [] : [{ message: systemMessage, isSystem: true }];
  return [...system, ...messages.map((message) => ({ message, isSystem: false }))];
}
