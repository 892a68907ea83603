export { diagnosticCodes, errorCodes, hookCodes, skipReasons } from './codes.js';
export { relayEffects } from './dialect/relay-format.js';
export { EXIT_CODE_BLOCKING_ERROR, EXIT_CODE_NON_BLOCKING_ERROR, EXIT_CODE_SUCCESS } from './dialect/execution.js';
export { eventCatalogue, eventEntry, HookEventName, hookEventNames, isHookEventName } from './events/event-catalogue.js';
export { describeHook } from './hooks/describe-hook.js';
export { formatDiagnostic } from './hooks/diagnostic.js';
export { hookIdOf } from './hooks/hook-definition.js';
export { hookLevels } from './hooks/hook-level.js';
export { processResult } from './results/aggregated-result.js';
export { verdictKinds, verdictOf } from './results/hook-decision.js';
export {
  AfterModelHookOutput,
  BeforeModelHookOutput,
  BeforeToolHookOutput,
  BeforeToolSelectionHookOutput,
  createHookOutput,
  DefaultHookOutput,
} from './results/hook-output-classes.js';
export { outcomeStatuses } from './results/outcome.js';
export { TenterhookError } from './tenterhook-error.js';
export { isPlainObject } from '@tenterhook/runtime/json';

export type { DiagnosticCode, ErrorCode, HookCode, SkipReason, WarningCode } from './codes.js';
export type { Decoded, Dialect, PinnedParts, ReadInput } from './dialect/dialect.js';
export type { Plan, Selection, SkippedHook, Stage } from './dialect/plan.js';
export type {
  CombinedSettings,
  DialectContext,
  HookSwitches,
  ParsedDocument,
  ParsedSettings,
  ReadingBudget,
  SettingsDocument,
  SettingsLocation,
  SettingsLookalike,
  StarterSettings,
  SwitchValue,
} from './dialect/settings.js';
export type {
  Captured,
  CommandFindings,
  Detachment,
  Exit,
  HookEvent,
  HookExecutor,
  Invocation,
  ReadableExit,
} from './dialect/execution.js';
export type {
  Heard,
  HeardInput,
  RelayAnswer,
  RelayCommand,
  RelayCallMemory,
  RelayEffect,
  RelayEntryOptions,
  RelayEvent,
  RelayFormat,
  RelayKept,
  RelayLoss,
  RelayOtherTools,
  RelayPlaces,
  UserPlaces,
  RelayPolicy,
  RelayVisits,
  SettingsAddition,
} from './dialect/relay-format.js';
export type {
  AfterAgentInput,
  AfterModelInput,
  AfterToolInput,
  BeforeAgentInput,
  BeforeModelInput,
  BeforeToolInput,
  BeforeToolSelectionInput,
  HookInput,
  HookInputOf,
  McpContext,
  NotificationInput,
  PreCompressInput,
  SessionEndInput,
  SessionStartInput,
} from './events/event-catalogue.js';
export type { FireOptions } from './events/fire-options.js';
export type { HookFieldsOf, RequestBaseFields } from './events/hook-fields.js';
export type { EventEntry, EventPowers, MergeStrategy, Rewrite, RewriteRule } from './events/event-entry.js';
export type { ShownAction } from './hooks/describe-hook.js';
export type { Diagnostic } from './hooks/diagnostic.js';
export type { HookAction, HookDefinition, HookTrust, LoadSkip } from './hooks/hook-definition.js';
export type { HookLevel } from './hooks/hook-level.js';
export type { Changes, HookSource } from './hooks/hook-source.js';
export type { CommandHookConfig, HookConfig, HookGroup, SettingsHooks } from './hooks/settings-hooks.js';
export type {
  AnswerOf,
  BusMessage,
  Channel,
  HookExecutionCancel,
  HookExecutionProgress,
  HookExecutionRequest,
  HookExecutionResponse,
  HookServiceDescription,
  MessageOf,
  PayloadOf,
  RequestChannel,
  RequestOf,
  ResponseOf,
} from './messages/channels.js';
export type { ResponseError } from './messages/fields.js';
export type { HookToolConfig, LLMMessage, LLMRequest, LLMResponse } from './model/llm.js';
export type { AggregatedHookResult, Change, ProcessedHookResult, ResultError, Verdict } from './results/aggregated-result.js';
export type { AggregatedHookResultOf, HookOutputOf } from './results/result-of-event.js';
export type { HookDecision, VerdictKind } from './results/hook-decision.js';
export type {
  AfterModelOutput,
  AfterToolOutput,
  BeforeModelOutput,
  BeforeToolOutput,
  BeforeToolSelectionOutput,
  HookOutput,
} from './results/hook-output.js';
export type { HookOutcome, HookWarning, OutcomeStatus, RemoteEngineIdentity, StartRoute } from './results/outcome.js';
export type { TenterhookErrorOptions } from './tenterhook-error.js';
export type {
  EventTrace,
  HookTrace,
  HookTracing,
  ToolTrace,
  TracedAnswer,
  TracedEvent,
  TracedHook,
  TracedTool,
} from './tracing/hook-tracing.js';
export type { TraceContext } from './tracing/trace-context.js';
export type { HookOutputClassOf } from './results/hook-output-classes.js';
