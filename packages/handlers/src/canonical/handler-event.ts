import type { HookEvent, HookInput, LLMRequest, LLMResponse } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { HookPayloads, ToolOutcome, UntypedHandlerEvent } from '../definition/hook-event.js';
import type { HookEventType } from '../definition/hook-event-type.js';
import { lastUserText, systemText, toContentText } from './conversation.js';
import type { SessionCounts } from './session-tally.js';

/**
 * Converts a canonical event into the event of handlers (decision 71). A field that the host left out gets the empty value of its
 * type. The result shares objects with the event, so callers must copy it for each handler.
 */
export function toHandlerEvent(type: HookEventType, { input }: HookEvent, counts: SessionCounts): UntypedHandlerEvent {
  return { event_type: type, payload: makers[type](input, counts) };
}

const makers: { readonly [Type in HookEventType]: (input: HookInput, counts: SessionCounts) => HookPayloads[Type] } = {
  pre_tool_use: (input) => ({
    session_id: input.session_id,
    tool: textOr(input['tool_name']),
    args: objectOr(input['tool_input']),
    working_directory: input.cwd,
    recent_tools: textsOr(input['recent_tools']),
  }),
  post_tool_use: (input) => ({
    session_id: input.session_id,
    tool: textOr(input['tool_name']),
    args: objectOr(input['tool_input']),
    result: toToolOutcome(input),
  }),
  generate_start: (input) => ({ ...generation(input), available_tools: textsOr(input['available_tools']) }),
  generate_end: (input) => {
    const { text, candidates, usageMetadata } = objectOr(input['llm_response']) as LLMResponse;
    const parts = candidates?.[0]?.content.parts ?? [];
    return {
      session_id: input.session_id,
      prompt: lastUserText(objectOr(input['llm_request']) as LLMRequest),
      response_text: text ?? parts.map((part) => (typeof part === 'string' ? part : (part.text ?? ''))).join(''),
      tool_calls: listOr(input['tool_calls']).flatMap((call) =>
        isPlainObject(call) && typeof call['name'] === 'string' ? [{ name: call['name'], args: objectOr(call['args']) }] : [],
      ),
      usage: {
        prompt_tokens: usageMetadata?.promptTokenCount ?? 0,
        completion_tokens: usageMetadata?.candidatesTokenCount ?? 0,
        total_tokens: usageMetadata?.totalTokenCount ?? 0,
      },
      duration_ms: numberOr(input['duration_ms']),
    };
  },
  session_start: (input) => ({
    session_id: input.session_id,
    ...(typeof input['system_prompt'] === 'string' ? { system_prompt: input['system_prompt'] } : {}),
    model_provider: textOr(input['model_provider']),
    model_name: textOr(input['model_name']),
  }),
  session_end: (input, counts) => ({
    session_id: input.session_id,
    total_tokens: numberOr(input['total_tokens'], counts.tokens),
    total_tool_calls: numberOr(input['total_tool_calls'], counts.toolCalls),
    duration_ms: numberOr(input['duration_ms'], counts.durationMs),
  }),
};

function generation(input: HookInput) {
  const request = objectOr(input['llm_request']) as LLMRequest;
  const system = systemText(request);
  return {
    session_id: input.session_id,
    prompt: lastUserText(request),
    ...omitUndefined({ system_prompt: system }),
    model_provider: textOr(input['model_provider']),
    model_name: textOr(request.model),
  };
}

/** The response has priority for exit code and duration, because a handler may have rewritten them there. */
function toToolOutcome(input: HookInput): ToolOutcome {
  const response = objectOr(input['tool_response']);
  const exitCode = response['exit_code'] ?? response['exitCode'];
  return {
    success: !hasFailed(response),
    output: toContentText(response['llmContent']),
    ...(typeof exitCode === 'number' ? { exit_code: exitCode } : {}),
    duration_ms: numberOr(response['duration_ms'], numberOr(input['duration_ms'])),
  };
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOr(value: unknown, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}

function objectOr(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {};
}

function listOr(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOr(value: unknown): string[] {
  return listOr(value).filter((item) => typeof item === 'string');
}
