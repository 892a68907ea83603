import type { HookEventType } from './hook-event-type.js';

/** Arguments of a tool. `any`, because only the tool knows them, and handlers read them by name as seed 002 does. */
// biome-ignore lint/suspicious/noExplicitAny: unknown would make every handler of the source document a type error.
export type ToolArgs = Record<string, any>;

/** Before a tool runs. */
export interface PreToolUseEvent {
  session_id: string;
  tool: string;
  args: ToolArgs;
  working_directory: string;
  /** Names of the tools that ran last, the newest last. */
  recent_tools: string[];
}

/** What a tool returned. */
export interface ToolOutcome {
  success: boolean;
  output: string;
  /** Of shell commands. */
  exit_code?: number | null;
  duration_ms: number;
}

/** After a tool has run. */
export interface PostToolUseEvent {
  session_id: string;
  tool: string;
  args: ToolArgs;
  result: ToolOutcome;
}

/** Before the model is called. */
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

/** What an answer of the model cost, in tokens. */
export interface TokenUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** After the model has answered. */
export interface GenerateEndEvent {
  session_id: string;
  prompt: string;
  response_text: string;
  tool_calls: ToolCallInfo[];
  usage: TokenUsage;
  duration_ms: number;
}

/** When a session starts. */
export interface SessionStartEvent {
  session_id: string;
  system_prompt?: string | null;
  model_provider: string;
  model_name: string;
}

/** When a session ends. */
export interface SessionEndEvent {
  session_id: string;
  total_tokens: number;
  total_tool_calls: number;
  duration_ms: number;
}

/** What each type of event carries (seed 002 "Event Payloads"). */
export interface HookPayloads {
  pre_tool_use: PreToolUseEvent;
  post_tool_use: PostToolUseEvent;
  generate_start: GenerateStartEvent;
  generate_end: GenerateEndEvent;
  session_start: SessionStartEvent;
  session_end: SessionEndEvent;
}

/** An event as handlers get it, plain JSON; its payload follows from its type. */
export type HookEvent<Type extends HookEventType = HookEventType> = {
  [Each in Type]: { event_type: Each; payload: HookPayloads[Each] };
}[Type];

/** The event of a handler whose event type the compiler cannot know, because it was registered under an id. */
export interface UntypedHookEvent {
  event_type: HookEventType;
  // biome-ignore lint/suspicious/noExplicitAny: an id says nothing of the payload; pass the Hook instead of its id to have it typed.
  payload: any;
}

/** `HookEvent<Type>`, where the type is known; `any` asks for the event of an unknown hook. */
export type EventFor<Type extends HookEventType> = 0 extends 1 & Type ? UntypedHookEvent : HookEvent<Type>;
