import type { HookToolConfig, LLMRequest } from '@tenterhook/protocol';
import type { HookMessage } from './hook-message.js';

/** What a translator found in a request of its SDK; undefined is what the request does not say, or hooks are not shown. */
export interface FoundInRequest {
  readonly model: unknown;
  readonly messages: readonly (HookMessage | undefined)[];
  readonly config: LLMRequest['config'];
  readonly toolConfig: HookToolConfig | undefined;
}

/** The request as hooks see it. A field without a value is absent, so that the JSON a hook reads and the object in process are the same. */
export function showRequest({ model, messages, config, toolConfig }: FoundInRequest): LLMRequest {
  return {
    ...(typeof model === 'string' ? { model } : {}),
    messages: messages.filter((message) => message !== undefined),
    ...(config === undefined ? {} : { config }),
    ...(toolConfig === undefined ? {} : { toolConfig }),
  };
}
