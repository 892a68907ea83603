import {
  type AggregatedHookResult,
  type HookEventName,
  isHookEventName,
  type LLMRequest,
  type LLMResponse,
  type McpContext,
  type SessionEndInput,
  type SessionStartInput,
} from '@tenterhook/protocol';
import { noHooks } from './no-hooks.js';

/** How long one event may take, and what ends it early. */
export interface FireOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole event, waiting for a free place included. @default none: only the hooks' own timeouts count */
  readonly timeoutMs?: number;
}

type Fire = (eventName: string, input: Readonly<Record<string, unknown>>, options?: FireOptions) => Promise<AggregatedHookResult>;

/**
 * One method an event, as seed 000 and seed 003 use them. None of them ever rejects: on timeout, cancel, overload, wrong use or an
 * internal error the result has `success: false`, that code in `errors`, and the verdict of what had been answered. Without hooks for
 * the event each returns the same constant, already resolved promise (design §4.6).
 */
export class HookEventHandler {
  readonly #has: (eventName: HookEventName) => boolean;
  readonly #fire: Fire;

  constructor(has: (eventName: HookEventName) => boolean, fire: Fire) {
    this.#has = has;
    this.#fire = fire;
  }

  /** Any event of the catalogue by its name. */
  fire(eventName: string, input: Readonly<Record<string, unknown>>, options?: FireOptions): Promise<AggregatedHookResult> {
    // An unknown name goes on to the service, which says that it is unknown: it must not look like an event without hooks.
    return isHookEventName(eventName) && !this.#has(eventName) ? noHooks : this.#fire(eventName, input, options);
  }

  fireBeforeToolEvent(
    toolName: string,
    toolInput: Record<string, unknown>,
    mcpContext?: McpContext,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    if (!this.#has('BeforeTool')) return noHooks;
    return this.#fire('BeforeTool', { tool_name: toolName, tool_input: toolInput, ...withMcp(mcpContext) }, options);
  }

  fireAfterToolEvent(
    toolName: string,
    toolInput: Record<string, unknown>,
    toolResponse: Record<string, unknown>,
    mcpContext?: McpContext,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    if (!this.#has('AfterTool')) return noHooks;
    return this.#fire(
      'AfterTool',
      { tool_name: toolName, tool_input: toolInput, tool_response: toolResponse, ...withMcp(mcpContext) },
      options,
    );
  }

  fireBeforeAgentEvent(prompt: string, options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#has('BeforeAgent') ? this.#fire('BeforeAgent', { prompt }, options) : noHooks;
  }

  fireAfterAgentEvent(
    prompt: string,
    promptResponse: string,
    stopHookActive = false,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    if (!this.#has('AfterAgent')) return noHooks;
    return this.#fire('AfterAgent', { prompt, prompt_response: promptResponse, stop_hook_active: stopHookActive }, options);
  }

  fireBeforeModelEvent(llmRequest: LLMRequest, options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#has('BeforeModel') ? this.#fire('BeforeModel', { llm_request: llmRequest }, options) : noHooks;
  }

  fireAfterModelEvent(llmRequest: LLMRequest, llmResponse: LLMResponse, options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#has('AfterModel') ? this.#fire('AfterModel', { llm_request: llmRequest, llm_response: llmResponse }, options) : noHooks;
  }

  fireBeforeToolSelectionEvent(llmRequest: LLMRequest, options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#has('BeforeToolSelection') ? this.#fire('BeforeToolSelection', { llm_request: llmRequest }, options) : noHooks;
  }

  fireSessionStartEvent(source: SessionStartInput['source'], options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#has('SessionStart') ? this.#fire('SessionStart', { source }, options) : noHooks;
  }

  fireSessionEndEvent(reason: SessionEndInput['reason'], options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#has('SessionEnd') ? this.#fire('SessionEnd', { reason }, options) : noHooks;
  }

  firePreCompressEvent(trigger: 'manual' | 'auto', options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#has('PreCompress') ? this.#fire('PreCompress', { trigger }, options) : noHooks;
  }

  fireNotificationEvent(
    notificationType: string,
    message: string,
    details: Record<string, unknown>,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    if (!this.#has('Notification')) return noHooks;
    return this.#fire('Notification', { notification_type: notificationType, message, details }, options);
  }
}

function withMcp(mcpContext: McpContext | undefined): { mcp_context?: McpContext } {
  return mcpContext === undefined ? {} : { mcp_context: mcpContext };
}
