/**
 * For hooks that are functions: every public name of `@tenterhook/handlers`. `HookEvent` and `HookConfig` are the types of that package and
 * not those of the protocol.
 */

export type {
  AnnouncedEngine,
  ConnectOptions,
  FireOptions,
  GenerateEndEvent,
  GenerateStartEvent,
  HandlerAnswer,
  HandlerConnection,
  HandlerContext,
  HandlerWarning,
  HookConfig,
  HookEngineOptions,
  HookEvent,
  HookFields,
  HookHandler,
  HookPayloads,
  HookResult,
  MatcherFields,
  PostToolUseEvent,
  PreToolUseEvent,
  RemoteHandlersOptions,
  SessionEndEvent,
  SessionStartEvent,
  TokenUsage,
  ToolArgs,
  ToolCallInfo,
  ToolOutcome,
  UntypedHookEvent,
  WaitOptions,
} from '@tenterhook/handlers';
export {
  Hook,
  HookEngine,
  HookEventType,
  HookMatcher,
  HookResponse,
  InvalidHookError,
  RemoteHandlers,
  remoteHandlers,
} from '@tenterhook/handlers';
