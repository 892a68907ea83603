import type { HookEventType } from './hook-event-type.js';

/**
 * Arguments of a tool. The type of a value is `any`, because only the tool knows it. Handlers read the arguments by name, as in
 * seed 002.
 */
// biome-ignore lint/suspicious/noExplicitAny: with `unknown`, every handler of seed 002 would be a type error.
export type ToolArgs = Record<string, any>;

/** The payload before a tool runs. */
export interface PreToolUseEvent {
  session_id: string;
  tool: string;
  args: ToolArgs;
  working_directory: string;
  /** The names of the tools that ran last, the newest last. */
  recent_tools: string[];
}

/** The result of a tool. */
export interface ToolOutcome {
  success: boolean;
  output: string;
  /** The exit code of a shell command. */
  exit_code?: number | null;
  duration_ms: number;
}

/** The payload after a tool has run. */
export interface PostToolUseEvent {
  session_id: string;
  tool: string;
  args: ToolArgs;
  result: ToolOutcome;
}

/** The payload before the model is called. */
export interface GenerateStartEvent {
  session_id: string;
  prompt: string;
  system_prompt?: string | null;
  model_provider: string;
  model_name: string;
  available_tools: string[];
}

/** A tool call in an answer of the model. */
export interface ToolCallInfo {
  name: string;
  args: ToolArgs;
}

/** The number of tokens of one answer of the model. */
export interface TokenUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** The payload after the model has answered. */
export interface GenerateEndEvent {
  session_id: string;
  prompt: string;
  response_text: string;
  tool_calls: ToolCallInfo[];
  usage: TokenUsage;
  duration_ms: number;
}

/** The payload when a session starts. */
export interface SessionStartEvent {
  session_id: string;
  system_prompt?: string | null;
  model_provider: string;
  model_name: string;
}

/** The payload when a session ends. */
export interface SessionEndEvent {
  session_id: string;
  total_tokens: number;
  total_tool_calls: number;
  duration_ms: number;
}

/** The payload of each type of event (seed 002 "Event Payloads"). */
export interface HookPayloads {
  pre_tool_use: PreToolUseEvent;
  post_tool_use: PostToolUseEvent;
  generate_start: GenerateStartEvent;
  generate_end: GenerateEndEvent;
  session_start: SessionStartEvent;
  session_end: SessionEndEvent;
}

/** An event as handlers receive it: plain JSON, whose payload depends on its type. */
export type HandlerEvent<Type extends HookEventType = HookEventType> = {
  [Each in Type]: { event_type: Each; payload: HookPayloads[Each] };
}[Type];

/** The event of a handler that was registered by the id of its hook. TypeScript cannot know the type of this event. */
export interface UntypedHandlerEvent {
  event_type: HookEventType;
  // biome-ignore lint/suspicious/noExplicitAny: with an id, the type of the event is unknown. Pass the Hook instead of its id to have the payload typed.
  payload: any;
}

/** `HandlerEvent<Type>`, or `UntypedHandlerEvent` if `Type` is `any`. */
export type EventFor<Type extends HookEventType> = 0 extends 1 & Type ? UntypedHandlerEvent : HandlerEvent<Type>;
