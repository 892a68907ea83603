import type { BaseMessage, SystemMessage } from '../langchain-library.js';

/** The part of a call of the model that hooks can see or change. The names are those of `wrapModelCall`. */
export interface LangChainRequest {
  readonly messages: readonly BaseMessage[];
  /** The system prompt. @default the request has no system prompt */
  readonly systemMessage?: SystemMessage | undefined;
  /** The tools that are offered to the model. */
  readonly tools: readonly unknown[];
  readonly toolChoice?: unknown;
  /** Settings of this call, which `createAgent` passes to `bindTools`. */
  readonly modelSettings?: Readonly<Record<string, unknown>> | undefined;
}
