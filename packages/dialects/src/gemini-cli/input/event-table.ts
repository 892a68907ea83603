import type { HookEventName } from '@tenterhook/protocol';

/** What Gemini CLI tells of an event beside the base fields, and what a matcher looks at. */
export interface GeminiEvent {
  readonly fields: readonly string[];
  readonly subject?: 'tool_name' | 'source' | 'reason' | 'trigger';
  /** What the subject can be, where that is a closed list. */
  readonly values?: readonly string[];
  /** The fields of hookSpecificOutput. */
  readonly outputs: readonly string[];
}

const toolCall = ['tool_name', 'tool_input', 'mcp_context', 'original_request_name'];

/** Its events, which have the canonical names. */
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
  SessionStart: {
    fields: ['source'],
    subject: 'source',
    // The last one is of other agents: a host may say it, and then it is told as it is.
    values: ['startup', 'resume', 'clear', 'compress'],
    outputs: ['additionalContext'],
  },
  SessionEnd: {
    fields: ['reason'],
    subject: 'reason',
    values: ['exit', 'clear', 'logout', 'prompt_input_exit', 'other'],
    outputs: [],
  },
  PreCompress: { fields: ['trigger'], subject: 'trigger', values: ['auto', 'manual'], outputs: [] },
  Notification: { fields: ['notification_type', 'message', 'details'], outputs: [] },
} as const satisfies Partial<Record<HookEventName, GeminiEvent>>;

export type GeminiEventName = keyof typeof geminiEvents;

export const geminiEventNames = Object.keys(geminiEvents) as [GeminiEventName, ...GeminiEventName[]];

export function isGeminiEvent(name: unknown): name is GeminiEventName {
  return typeof name === 'string' && Object.hasOwn(geminiEvents, name);
}

/** The facts of an event; of one that Gemini CLI does not have there are none. */
export function geminiEvent(eventName: HookEventName): GeminiEvent {
  return isGeminiEvent(eventName) ? geminiEvents[eventName] : { fields: [], outputs: [] };
}
