import type { HookEventName } from '@tenterhook/protocol';

/** One event: the fields that only this event has on stdin, and the field that a matcher is compared with. */
export interface GeminiEvent {
  readonly fields: readonly string[];
  readonly subject?: 'tool_name' | 'source' | 'reason' | 'trigger';
  /** The fields of `hookSpecificOutput`. */
  readonly outputs: readonly string[];
}

const toolCall = ['tool_name', 'tool_input', 'mcp_context', 'original_request_name'];

/** The events of Gemini CLI, which have the canonical names. */
export const geminiEvents = {
  BeforeTool: { fields: toolCall, subject: 'tool_name', outputs: ['tool_input', 'additionalContext'] },
  AfterTool: {
    fields: [...toolCall, 'tool_response'],
    subject: 'tool_name',
    outputs: ['additionalContext', 'tailToolCallRequest'],
  },
  BeforeAgent: { fields: ['prompt'], outputs: ['additionalContext'] },
  AfterAgent: { fields: ['prompt', 'prompt_response', 'stop_hook_active'], outputs: ['clearContext'] },
  BeforeModel: { fields: ['llm_request'], outputs: ['llm_request', 'llm_response'] },
  AfterModel: { fields: ['llm_request', 'llm_response'], outputs: ['llm_response'] },
  BeforeToolSelection: { fields: ['llm_request'], outputs: ['toolConfig'] },
  SessionStart: { fields: ['source'], subject: 'source', outputs: ['additionalContext'] },
  SessionEnd: { fields: ['reason'], subject: 'reason', outputs: [] },
  PreCompress: { fields: ['trigger'], subject: 'trigger', outputs: [] },
  Notification: { fields: ['notification_type', 'message', 'details'], outputs: [] },
} as const satisfies Partial<Record<HookEventName, GeminiEvent>>;

export type GeminiEventName = keyof typeof geminiEvents;

export const geminiEventNames = Object.keys(geminiEvents) as [GeminiEventName, ...GeminiEventName[]];

export function isGeminiEvent(name: unknown): name is GeminiEventName {
  return typeof name === 'string' && Object.hasOwn(geminiEvents, name);
}

/** Returns the entry of an event. The entry is empty if Gemini CLI does not have the event. */
export function geminiEvent(eventName: HookEventName): GeminiEvent {
  return isGeminiEvent(eventName) ? geminiEvents[eventName] : { fields: [], outputs: [] };
}
