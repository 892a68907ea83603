import {
  type AggregatedHookResult,
  isHookEventName,
  type LLMRequest,
  type LLMResponse,
  type McpContext,
  type SessionEndInput,
  type SessionStartInput,
} from '@tenterhook/protocol';
import type { IdleEvents } from './fast-path.js';

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
 * the event each returns the same constant, already resolved promise (design §4.6), and where none of its hooks would run for this subject
 * one that is as constant: at once, and whatever `signal` and `timeoutMs` say (see IdleEvents).
 */
export class HookEventHandler {
  readonly #idle: IdleEvents;
  readonly #fire: Fire;

  constructor(idle: IdleEvents, fire: Fire) {
    this.#idle = idle;
    this.#fire = fire;
  }

  /** Any event of the catalogue by its name. */
  fire(eventName: string, input: Readonly<Record<string, unknown>>, options?: FireOptions): Promise<AggregatedHookResult> {
    // An unknown name goes on to the service, which says that it is unknown: it must not look like an event without hooks.
    const idle = isHookEventName(eventName) ? this.#idle.answerToInput(eventName, input) : undefined;
    return idle ?? this.#fire(eventName, input, options);
  }

  fireBeforeToolEvent(
    toolName: string,
    toolInput: Record<string, unknown>,
    mcpContext?: McpContext,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    return (
      this.#idle.answerTo('BeforeTool', toolName, mcpContext) ??
      this.#fire('BeforeTool', { tool_name: toolName, tool_input: toolInput, ...withMcp(mcpContext) }, options)
    );
  }

  fireAfterToolEvent(
    toolName: string,
    toolInput: Record<string, unknown>,
    toolResponse: Record<string, unknown>,
    mcpContext?: McpContext,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    return (
      this.#idle.answerTo('AfterTool', toolName, mcpContext) ??
      this.#fire('AfterTool', { tool_name: toolName, tool_input: toolInput, tool_response: toolResponse, ...withMcp(mcpContext) }, options)
    );
  }

  fireBeforeAgentEvent(prompt: string, options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#idle.answerTo('BeforeAgent', '') ?? this.#fire('BeforeAgent', { prompt }, options);
  }

  fireAfterAgentEvent(
    prompt: string,
    promptResponse: string,
    stopHookActive = false,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    return (
      this.#idle.answerTo('AfterAgent', '') ??
      this.#fire('AfterAgent', { prompt, prompt_response: promptResponse, stop_hook_active: stopHookActive }, options)
    );
  }

  fireBeforeModelEvent(llmRequest: LLMRequest, options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#idle.answerTo('BeforeModel', '') ?? this.#fire('BeforeModel', { llm_request: llmRequest }, options);
  }

  fireAfterModelEvent(llmRequest: LLMRequest, llmResponse: LLMResponse, options?: FireOptions): Promise<AggregatedHookResult> {
    return (
      this.#idle.answerTo('AfterModel', '') ?? this.#fire('AfterModel', { llm_request: llmRequest, llm_response: llmResponse }, options)
    );
  }

  fireBeforeToolSelectionEvent(llmRequest: LLMRequest, options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#idle.answerTo('BeforeToolSelection', '') ?? this.#fire('BeforeToolSelection', { llm_request: llmRequest }, options);
  }

  fireSessionStartEvent(source: SessionStartInput['source'], options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#idle.answerTo('SessionStart', source) ?? this.#fire('SessionStart', { source }, options);
  }

  fireSessionEndEvent(reason: SessionEndInput['reason'], options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#idle.answerTo('SessionEnd', reason) ?? this.#fire('SessionEnd', { reason }, options);
  }

  firePreCompressEvent(trigger: 'manual' | 'auto', options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#idle.answerTo('PreCompress', trigger) ?? this.#fire('PreCompress', { trigger }, options);
  }

  fireNotificationEvent(
    notificationType: string,
    message: string,
    details: Record<string, unknown>,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    return (
      this.#idle.answerTo('Notification', notificationType) ??
      this.#fire('Notification', { notification_type: notificationType, message, details }, options)
    );
  }
}

function withMcp(mcpContext: McpContext | undefined): { mcp_context?: McpContext } {
  return mcpContext === undefined ? {} : { mcp_context: mcpContext };
}
