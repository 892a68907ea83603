export {
  acceptPromptWithHooks,
  anthropicTranslator,
  callModelWithHooks,
  compressWithHooks,
  createAgent,
  createHookClient,
  endSessionWithHooks,
  executeToolWithHooks,
  genAiTranslator,
  notifyWithHooks,
  openAiChatTranslator,
  reviewAnswerWithHooks,
  runAgentTurnWithHooks,
  startSessionWithHooks,
} from '@tenterhook/agent';
export { MessageBus } from '@tenterhook/bus';
export { claudeCode, defaultDialects, eca, geminiCli, llxprt } from '@tenterhook/dialects';
export { HookService, HookSystem } from '@tenterhook/engine';
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
export {
  AfterModelHookOutput,
  BeforeModelHookOutput,
  BeforeToolHookOutput,
  BeforeToolSelectionHookOutput,
  DefaultHookOutput,
  formatDiagnostic,
  HookEventName,
  isHookEventName,
  processResult,
  TenterhookError,
} from '@tenterhook/protocol';
export { connectToSocket, listenOnSocket, SocketTransportError } from '@tenterhook/transport-socket';
export { createEnvFile, createHooks } from './create.js';
export { escapeForTerminal } from './output/terminal/escape.js';
export { reportToTerminal } from './output/timeline/terminal-reporter.js';

export type {
  Agent,
  AgentOptions,
  HookClient,
  LlmTranslator,
  FinishedModelCall,
  FinishedToolCall,
  ToolSelection,
  FinishedTurn,
} from '@tenterhook/agent';
export type { FireOptions, HookSystemOptions, HostCallback, HostRequest, HttpOptions, ListedHook } from '@tenterhook/engine';
export type {
  AnnouncedEngine,
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
  SessionEndEvent,
  SessionStartEvent,
} from '@tenterhook/handlers';
export type {
  AggregatedHookResult,
  AggregatedHookResultOf,
  Diagnostic,
  Dialect,
  HookExecutor,
  HookFieldsOf,
  HookOutcome,
  HookOutputOf,
  HookSource,
  RequestBaseFields,
  Verdict,
} from '@tenterhook/protocol';
export { SettingsError } from './settings/settings-error.js';
export type { CreateHooksOptions, Hooks, WatchOptions } from './hooks.js';
export type { EnvFile } from './env-file/open-env-file.js';
export type { EnvFileContent } from './env-file/read-exports.js';
export type { ReportToTerminalOptions } from './output/timeline/terminal-reporter.js';
export type { AgentTool, McpTool } from './settings/checks/unmatched-matchers.js';
export type { SettingsChange } from './settings/watch/change-listeners.js';
export type { Extension } from './settings/extensions/extension.js';
export type { SettingsFile } from './settings/read/read-settings-file.js';
