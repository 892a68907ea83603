export { Hook } from './definition/hook.js';
export { HookEventType } from './definition/hook-event-type.js';
export { HookMatcher } from './definition/hook-matcher.js';
export { HookResponse } from './definition/hook-response.js';
export { InvalidHookError } from './definition/invalid-hook-error.js';
export { HookEngine } from './engine/hook-engine.js';
export { RemoteHandlers, remoteHandlers } from './remote/remote-handlers.js';

export type { HandlerAnswer, HandlerContext, HandlerWarning, HookHandler } from './calling/handler.js';
export type { HookConfig, HookFields } from './definition/hook.js';
export type {
  GenerateEndEvent,
  GenerateStartEvent,
  HookEvent,
  HookPayloads,
  PostToolUseEvent,
  PreToolUseEvent,
  SessionEndEvent,
  SessionStartEvent,
  TokenUsage,
  ToolArgs,
  ToolCallInfo,
  ToolOutcome,
  UntypedHookEvent,
} from './definition/hook-event.js';
export type { MatcherFields } from './definition/hook-matcher.js';
export type { HookResult } from './engine/dispatch-event.js';
export type { FireOptions, HookEngineOptions } from './engine/hook-engine.js';
export type { ConnectOptions, HandlerConnection } from './remote/engine-connection.js';
export type { WaitOptions } from './remote/engine-waiters.js';
export type { AnnouncedEngine, RemoteHandlersOptions } from './remote/remote-handlers.js';
