import type { MessageBus } from '@tenterhook/bus';
import {
  type AggregatedHookResult,
  type FireOptions,
  type HookEvent,
  type HookEventName,
  type HookExecutionResponse,
  isHookEventName,
  type LLMRequest,
  type LLMResponse,
  type McpContext,
  type ResponseError,
  type SessionEndInput,
  type SessionStartInput,
  type TraceContext,
} from '@tenterhook/protocol';
import { type ContainedTracing, readResponse, splitFireOptions } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeThrown } from '@tenterhook/runtime/text';
import type { HookPlanner } from '../planner/planner.js';
import type { HookSet } from '../registry/registry.js';
import { type FailureContext, resultOfFailure } from './failed-result.js';
import type { FastPath } from './fast-path.js';

/** The parts of a hook system that are needed to fire an event. */
export interface FireContext {
  readonly bus: MessageBus;
  readonly fastPath: FastPath;
  readonly planner: HookPlanner;
  readonly currentSet: () => HookSet;
  readonly tracing?: ContainedTracing;
  /** Completes an event with its base fields. Undefined if the fields are invalid. */
  readonly eventOf: (eventName: HookEventName, fields: Readonly<Record<string, unknown>>) => HookEvent | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Fires events, with one method per event. Each event is one request on the bus, unless no hook would run (FastPath). The methods never
 * reject. After a failure, such as a timeout, a cancel or wrong arguments, the result has `success: false` and the code in `errors`. Its
 * verdict is computed from the outcomes so far.
 */
export class HookEventHandler {
  readonly #context: FireContext;
  readonly #fastPath: FastPath;

  constructor(context: FireContext) {
    this.#context = context;
    this.#fastPath = context.fastPath;
  }

  /** Fires any event of the catalogue by its name. */
  fire(eventName: string, input: Readonly<Record<string, unknown>>, options?: FireOptions): Promise<AggregatedHookResult> {
    // An unknown name is sent as a request too, so that the service reports it. The fast path would treat the name as an event without
    // hooks.
    return this.#fastPath.answerToInput(eventName, input) ?? this.#request(eventName, input, options);
  }

  /** Fires BeforeTool. After a deny the tool must not run. */
  fireBeforeToolEvent(
    toolName: string,
    toolInput: Record<string, unknown>,
    mcpContext?: McpContext,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    return (
      this.#fastPath.answerTo('BeforeTool', toolName, mcpContext) ??
      this.#request('BeforeTool', { tool_name: toolName, tool_input: toolInput, ...withMcp(mcpContext) }, options)
    );
  }

  /** Fires AfterTool. The reason of a deny is feedback for the model. */
  fireAfterToolEvent(
    toolName: string,
    toolInput: Record<string, unknown>,
    toolResponse: Record<string, unknown>,
    mcpContext?: McpContext,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    return (
      this.#fastPath.answerTo('AfterTool', toolName, mcpContext) ??
      this.#request(
        'AfterTool',
        { tool_name: toolName, tool_input: toolInput, tool_response: toolResponse, ...withMcp(mcpContext) },
        options,
      )
    );
  }

  /** Fires BeforeAgent. After a deny the prompt must not be processed. */
  fireBeforeAgentEvent(prompt: string, options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#fastPath.answerTo('BeforeAgent', '') ?? this.#request('BeforeAgent', { prompt }, options);
  }

  /**
   * Fires AfterAgent. After a deny the agent continues, with the reason as its prompt. Pass `stopHookActive` if the agent continues
   * already because a hook denied its previous answer.
   */
  fireAfterAgentEvent(
    prompt: string,
    promptResponse: string,
    stopHookActive = false,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    return (
      this.#fastPath.answerTo('AfterAgent', '') ??
      this.#request('AfterAgent', { prompt, prompt_response: promptResponse, stop_hook_active: stopHookActive }, options)
    );
  }

  /** Fires BeforeModel. After a deny the model must not be called. */
  fireBeforeModelEvent(llmRequest: LLMRequest, options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#fastPath.answerTo('BeforeModel', '') ?? this.#request('BeforeModel', { llm_request: llmRequest }, options);
  }

  /** Fires AfterModel. A deny has no effect on the response. */
  fireAfterModelEvent(llmRequest: LLMRequest, llmResponse: LLMResponse, options?: FireOptions): Promise<AggregatedHookResult> {
    return (
      this.#fastPath.answerTo('AfterModel', '') ??
      this.#request('AfterModel', { llm_request: llmRequest, llm_response: llmResponse }, options)
    );
  }

  /** Fires BeforeToolSelection. Its hooks choose the tools that the model may call. A deny has no effect. */
  fireBeforeToolSelectionEvent(llmRequest: LLMRequest, options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#fastPath.answerTo('BeforeToolSelection', '') ?? this.#request('BeforeToolSelection', { llm_request: llmRequest }, options);
  }

  /** Fires SessionStart. */
  fireSessionStartEvent(source: SessionStartInput['source'], options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#fastPath.answerTo('SessionStart', source) ?? this.#request('SessionStart', { source }, options);
  }

  /** Fires SessionEnd. */
  fireSessionEndEvent(reason: SessionEndInput['reason'], options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#fastPath.answerTo('SessionEnd', reason) ?? this.#request('SessionEnd', { reason }, options);
  }

  /** Fires PreCompress. */
  firePreCompressEvent(trigger: 'manual' | 'auto', options?: FireOptions): Promise<AggregatedHookResult> {
    return this.#fastPath.answerTo('PreCompress', trigger) ?? this.#request('PreCompress', { trigger }, options);
  }

  /** Fires Notification. */
  fireNotificationEvent(
    notificationType: string,
    message: string,
    details: Record<string, unknown>,
    options?: FireOptions,
  ): Promise<AggregatedHookResult> {
    return (
      this.#fastPath.answerTo('Notification', notificationType) ??
      this.#request('Notification', { notification_type: notificationType, message, details }, options)
    );
  }

  /** Sends one request on the bus and returns its result. Never rejects: errors, including wrong arguments, are results with a code. */
  async #request(eventName: string, fields: Fields, options: FireOptions = noOptions): Promise<AggregatedHookResult> {
    const began = performance.now();
    // The set of hooks is read before the request is sent. If the request fails, the guards of this set decide, even if one of them was
    // removed in the meantime (decision 35).
    const set = this.#context.currentSet();
    const { bus, tracing } = this.#context;
    // Read here, because a bus may deliver the request later, when other code runs.
    const trace = tracing?.outgoing();
    const response = this.#fastPath.isStopped ? disposed : await requestSafely(bus, { eventName, input: fields, trace }, options);
    const read = readResponse(eventName as HookEventName, response);
    if ('result' in read) return read.result;
    tracing?.refused({ eventName, trace, startedAt: began }, fields, read.error, response === disposed);
    return resultOfFailure(read.error, this.#failureContext(set, eventName, fields), Math.round(performance.now() - began));
  }

  /** Returns the hooks that would have run. With an invalid input there is no plan, so these are all hooks of the event. */
  #failureContext(set: HookSet, eventName: string, fields: unknown): FailureContext | undefined {
    if (!isHookEventName(eventName)) return undefined;
    const event = isPlainObject(fields) ? this.#context.eventOf(eventName, fields) : undefined;
    const hooks = set.hooks[eventName].filter((hook) => hook.skip === undefined);
    const { dialects } = set;
    if (event === undefined) return { eventName, hooks, dialects };
    return { eventName, hooks, dialects, event, plan: this.#context.planner.plan(set, event) };
  }
}

/** The options of an event that was fired without any. */
const noOptions: FireOptions = Object.freeze({});

/**
 * The answer of a disposed system. The request is not sent, because the bus may belong to the caller and still be open. The bus would
 * then answer `no_responders`, as if there had never been hooks.
 */
const disposed = {
  success: false,
  error: { code: 'disposed', message: 'The hook system was shut down before the event was fired.' },
} as const;

async function requestSafely(
  bus: MessageBus,
  { eventName, input, trace }: { readonly eventName: string; readonly input: Fields; readonly trace: TraceContext | undefined },
  options: FireOptions,
): Promise<Pick<HookExecutionResponse, 'success' | 'output' | 'error'>> {
  const payload: { eventName: string; input: Record<string, unknown>; trace?: TraceContext } = { eventName, input };
  if (trace !== undefined) payload.trace = trace;
  try {
    // Most events have no options, and checking them would take a tenth of the time of an event that runs nothing.
    if (options === noOptions) return await bus.request('HOOK_EXECUTION_REQUEST', payload);
    const { sent, limits } = splitFireOptions(options);
    return await bus.request('HOOK_EXECUTION_REQUEST', { ...payload, ...sent } as typeof payload, limits);
  } catch (error) {
    const failure: ResponseError = { code: 'invalid_request', message: describeThrown(error) };
    return { success: false, error: failure };
  }
}

function withMcp(mcpContext: McpContext | undefined): { mcp_context?: McpContext } {
  return mcpContext === undefined ? {} : { mcp_context: mcpContext };
}
