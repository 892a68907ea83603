import type { LlmTranslator } from '@tenterhook/agent';
import type { HookToolConfig, LLMRequest, LLMResponse } from '@tenterhook/protocol';

/** A model whose format is that of hooks, with two more fields that hooks do not receive. */
export type PlainRequest = LLMRequest & { readonly tools?: readonly string[] };
export type PlainResponse = LLMResponse & { readonly functionCalls?: readonly string[] };

export type PlainTranslator = LlmTranslator<PlainRequest, PlainResponse> & { readonly asked: string[] };

/** A translator that records in `asked` which of its methods were called. */
export function plainTranslator(): PlainTranslator {
  const asked: string[] = [];
  return {
    name: 'plain',
    asked,
    toHookRequest({ tools: _tools, ...request }) {
      asked.push('toHookRequest');
      return request;
    },
    fromHookRequest(changed, { tools }) {
      asked.push('fromHookRequest');
      return { ...changed, ...(tools === undefined ? {} : { tools }) };
    },
    toHookResponse({ functionCalls: _calls, ...response }) {
      asked.push('toHookResponse');
      return response;
    },
    fromHookResponse(changed, original, { replacesCandidates }) {
      asked.push('fromHookResponse');
      return replacesCandidates ? changed : { ...original, ...changed };
    },
    toolNames({ tools = [] }) {
      asked.push('toolNames');
      return tools;
    },
    withToolConfig(request, toolConfig) {
      asked.push('withToolConfig');
      return { ...request, tools: (request.tools ?? []).filter((name) => isAllowed(name, toolConfig)), toolConfig };
    },
  };
}

function isAllowed(name: string, { mode, allowedFunctionNames }: HookToolConfig): boolean {
  return mode !== 'NONE' && (allowedFunctionNames?.includes(name) ?? true);
}
