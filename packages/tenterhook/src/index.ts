import type { HookEvent } from '@tenterhook/protocol';

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
  streamModelWithHooks,
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
export { SettingsError } from './settings/settings-error.js';

export type {
  Agent,
  AgentOptions,
  FinishedModelCall,
  FinishedModelStream,
  FinishedToolCall,
  FinishedTurn,
  HookClient,
  LlmTranslator,
  ModelStream,
  ModelStreamCall,
  ToolSelection,
} from '@tenterhook/agent';
export type {
  Answer,
  ConnectionState,
  Delivery,
  ExchangeMessage,
  MessageBusOptions,
  MessageIterator,
  ProgressPayload,
  RequestContext,
  RequestHandler,
  RequestOptions,
  RespondOptions,
  SubscribeOptions,
  Transport,
  TransportListener,
} from '@tenterhook/bus';
export type {
  ClaudeCodeOptions,
  ClaudePlugin,
  EcaDialect,
  EcaOptions,
  GeminiCliOptions,
  HostTool,
  HostTools,
  LlxprtOptions,
  RedactionLists,
} from '@tenterhook/dialects';
export type {
  Admission,
  AnsweringSystem,
  CircuitBreakerOptions,
  Distrust,
  ExplainedHook,
  Explanation,
  HookCommand,
  HookEventHandler,
  HookLimits,
  SpawnerKind,
  HookSystemOptions,
  HostCallback,
  HostRequest,
  HttpOptions,
  ListedHook,
  ProgressMessage,
  RequestAnswer,
  RequestControl,
  TrustCheck,
  TrustedRun,
  TrustGate,
  UnknownEvent,
} from '@tenterhook/engine';
export type {
  AfterAgentInput,
  AfterModelInput,
  AfterToolInput,
  AggregatedHookResult,
  AggregatedHookResultOf,
  AnswerOf,
  BeforeAgentInput,
  BeforeModelInput,
  BeforeToolInput,
  BeforeToolSelectionInput,
  BusMessage,
  Captured,
  Change,
  Changes,
  Channel,
  CombinedSettings,
  CommandFindings,
  Decoded,
  Detachment,
  Diagnostic,
  DiagnosticCode,
  Dialect,
  DialectContext,
  ErrorCode,
  Exit,
  FireOptions,
  HookAction,
  HookCode,
  HookDecision,
  HookDefinition,
  HookEvent,
  HookExecutionCancel,
  HookExecutionProgress,
  HookExecutionRequest,
  HookExecutionResponse,
  HookExecutor,
  HookFieldsOf,
  HookInput,
  HookInputOf,
  HookLevel,
  HookOutcome,
  HookOutput,
  HookOutputClassOf,
  HookOutputOf,
  HookSource,
  HookSwitches,
  HookToolConfig,
  HookTrust,
  HookWarning,
  Invocation,
  LLMMessage,
  LLMRequest,
  LLMResponse,
  LoadSkip,
  McpContext,
  MessageOf,
  NotificationInput,
  OutcomeStatus,
  ParsedDocument,
  ParsedSettings,
  PayloadOf,
  PinnedParts,
  Plan,
  PreCompressInput,
  ProcessedHookResult,
  ReadableExit,
  ReadingBudget,
  ReadInput,
  RequestBaseFields,
  RequestChannel,
  RequestOf,
  ResponseError,
  ResultError,
  ResponseOf,
  Selection,
  SessionEndInput,
  SessionStartInput,
  SettingsDocument,
  SettingsLocation,
  SettingsLookalike,
  SkippedHook,
  SkipReason,
  Stage,
  StarterSettings,
  SwitchValue,
  TenterhookErrorOptions,
  Verdict,
  VerdictKind,
  WarningCode,
} from '@tenterhook/protocol';
export type {
  ConnectToSocketOptions,
  ListenOnSocketOptions,
  SocketErrorCode,
  SocketLimits,
  SocketTransport,
} from '@tenterhook/transport-socket';
export type { OpenReason, PinnedHook, ReachedEntry, ReachedFile, TrustRecord, TrustRequest, TrustState } from '@tenterhook/trust';
export type { AdvancedOptions, CreateHooksOptions, WatchOptions } from './create-hooks-options.js';
export type { ReloadOptions } from './cancellation.js';
export type { EnvFile, EnvFileOptions } from './env-file/open-env-file.js';
export type { EnvFileContent } from './env-file/read-exports.js';
export type { Hooks } from './hooks.js';
export type { TerminalStream } from './output/terminal/terminal-stream.js';
export type { HookDetailsOptions } from './output/timeline/hook-details.js';
export type { ReportToTerminalOptions } from './output/timeline/terminal-reporter.js';
export type { AgentTool, McpTool } from './settings/checks/unmatched-matchers.js';
export type { Extension } from './settings/extensions/extension.js';
export type { SettingsFile } from './settings/read/read-settings-file.js';
export type { ReloadCause } from './settings/settings-source.js';
export type { SettingsChange, SettingsListener } from './settings/watch/change-listeners.js';
export type { HooksTrust, TrustAnswer, TrustMode, TrustOptions } from './trust/trust-options.js';

/** @deprecated Write `HookEvent`, which is the same type. */
export type CanonicalEvent = HookEvent;
