export { Hook } from './definition/hook.js';
export { HookEventType } from './definition/hook-event-type.js';
export { HookMatcher } from './definition/hook-matcher.js';
export { HookResponse } from './definition/hook-response.js';
export { InvalidHookError } from './definition/invalid-hook-error.js';
export { HookEngine } from './engine/hook-engine.js';
export { RemoteHandlers, remoteHandlers } from './remote/remote-handlers.js';

export type { HandlerAnswer, HandlerContext, HandlerWarning, HookHandler } from './calling/handler.js';
export type { HandlerConfig, HookFields } from './definition/hook.js';
export type {
  GenerateEndEvent,
  GenerateStartEvent,
  HandlerEvent,
  HookPayloads,
  PostToolUseEvent,
  PreToolUseEvent,
  SessionEndEvent,
  SessionStartEvent,
  TokenUsage,
  ToolArgs,
  ToolCallInfo,
  ToolOutcome,
  UntypedHandlerEvent,
} from './definition/hook-event.js';
export type { MatcherFields } from './definition/hook-matcher.js';
export type { HookResult } from './engine/dispatch-event.js';
export type { HandlerFireOptions, HookEngineOptions } from './engine/hook-engine.js';
export type { HandlerConnectOptions, HandlerConnection } from './remote/engine-connection.js';
export type { WaitOptions } from './remote/engine-waiters.js';
export type { AnnouncedEngine, RemoteHandlersOptions } from './remote/remote-handlers-options.js';
