import type { LlmTranslator } from '@tenterhook/agent';
import {
  type ConfigNames,
  changedConfig,
  changedItemMessages,
  changedText,
  fieldsOf,
  isSameList,
  listOf,
  outputTexts,
  readCandidates,
  readItemMessages,
  replaceOutput,
  rewriteOutputText,
  showConfig,
  showItemMessage,
  showRequest,
  showResponse,
  toUsageMetadata,
  withFields,
} from '@tenterhook/agent/internal';
import type { LLMResponse } from '@tenterhook/protocol';
import { type ModelRequest, type ModelResponse, Usage } from '../agents-sdk.js';
import { sdkItems } from './items.js';
import { showToolConfig, toolNames, withToolConfig } from './tool-config.js';

/** The values of `config` under the names of `modelSettings`. The SDK has no `topK`, stop sequences and candidate count. */
const configNames: ConfigNames = {
  temperature: 'temperature',
  maxOutputTokens: 'maxTokens',
  topP: 'topP',
  presencePenalty: 'presencePenalty',
  frequencyPenalty: 'frequencyPenalty',
};

/**
 * Returns the translator of the requests and responses of models of the SDK. A request does not name the model, so hooks read the name that
 * the model was found by, if there is one. They cannot change it.
 */
export function sdkTranslator(model?: string): LlmTranslator<ModelRequest, ModelResponse> {
  return {
    name: 'openai-agents',
    toHookRequest: (request) =>
      showRequest({
        model,
        messages: readItemMessages(sdkItems, conversationOf(request)).map(showItemMessage),
        config: showConfig(fieldsOf(request.modelSettings), configNames),
        toolConfig: showToolConfig(request),
      }),
    fromHookRequest(changed, original) {
      const messages = changedItemMessages(sdkItems, changed.messages, conversationOf(original));
      const settings = changedConfig(fieldsOf(original.modelSettings), changed.config, configNames);
      const request = withFields(original, {
        ...('input' in messages ? { input: messages.input } : {}),
        ...('instructions' in messages ? { systemInstructions: messages.instructions } : {}),
        ...(Object.keys(settings).length === 0 ? {} : { modelSettings: { ...original.modelSettings, ...settings } }),
      });
      return changed.toolConfig === undefined ? request : withToolConfig(request, changed.toolConfig);
    },
    toHookResponse: showSdkResponse,
    fromHookResponse(changed, original, change) {
      const before = original ?? { usage: toUsage(changed), output: [] };
      const output = listOf(before.output);
      if (original === undefined || (change.replacesCandidates && Array.isArray(changed.candidates))) {
        const [candidate = { parts: [] }] = readCandidates(changed, original === undefined);
        return withOutput(before, replaceOutput(sdkItems, candidate.parts, output));
      }
      const text = changedText(changed, showSdkResponse(original));
      return text === undefined ? original : withOutput(original, rewriteOutputText(sdkItems, output, text));
    },
    toolCalls: ({ output }) => listOf(output).flatMap((item) => sdkItems.callOf(item) ?? []),
    toolNames,
    withToolConfig,
  };
}

function conversationOf({ systemInstructions, input }: ModelRequest) {
  return { instructions: systemInstructions, input };
}

function showSdkResponse({ output, usage }: ModelResponse): LLMResponse {
  const items = listOf(output);
  const { inputTokens, outputTokens, totalTokens } = usage ?? {};
  const hasRefusal = items.some((item) => listOf(fieldsOf(item)['content']).some((part) => fieldsOf(part)['type'] === 'refusal'));
  return showResponse(
    [{ texts: outputTexts(items), index: 0, finishReason: hasRefusal ? 'SAFETY' : 'STOP' }],
    toUsageMetadata(inputTokens, outputTokens, totalTokens),
  );
}

/** Writes the output. The data of the provider go, because they contain the response as the service sent it. */
function withOutput(response: ModelResponse, output: readonly unknown[]): ModelResponse {
  if (isSameList(output, listOf(response.output))) return response;
  return withFields(response, { output, providerData: undefined });
}

/** Returns the counts as the class that the SDK needs. */
function toUsage({ usageMetadata = {} }: LLMResponse): Usage {
  const { promptTokenCount: inputTokens = 0, candidatesTokenCount: outputTokens = 0, totalTokenCount } = usageMetadata;
  return new Usage({ inputTokens, outputTokens, totalTokens: totalTokenCount ?? inputTokens + outputTokens });
}
