export { aggregatedHookResultSchema, changeSchema, verdictSchema } from './results/aggregated-result.js';
export { diagnosticCodes, errorCodes, hookCodes, skipReasons } from './codes.js';
export { describeHook, hookLabel, placeOfHook, shownAction } from './hooks/describe-hook.js';
export { diagnosticSchema, formatDiagnostic } from './hooks/diagnostic.js';
export {
  baseInputSchema,
  eventCatalogue,
  eventEntry,
  HookEventName,
  hookEventNames,
  isHookEventName,
  matcherSubject,
  mcpContextSchema,
} from './events/event-catalogue.js';
export { EXIT_CODE_BLOCKING_ERROR, EXIT_CODE_NON_BLOCKING_ERROR, EXIT_CODE_SUCCESS } from './dialect/exit-codes.js';
export { hasFailed } from './events/has-failed.js';
export { hookDecisionSchema, stricter, verdictKinds, verdictOf } from './results/hook-decision.js';
export { hookIdOf } from './hooks/hook-id.js';
export { canonicalOutputSchema, hookOutputSchema } from './results/hook-output.js';
export {
  AfterModelHookOutput,
  BeforeModelHookOutput,
  BeforeToolHookOutput,
  BeforeToolSelectionHookOutput,
  createHookOutput,
  DefaultHookOutput,
} from './results/hook-output-classes.js';
export { messagesJsonSchema } from './json-schema.js';
export {
  llmCandidateSchema,
  llmConfigSchema,
  llmMessageSchema,
  llmRequestSchema,
  llmResponseSchema,
  toolConfigSchema,
} from './model/llm.js';
export { mergeLlmRequest, mergeLlmResponse, mergeToolConfig } from './model/llm-merge.js';
export {
  cancelPayloadSchema,
  channelPayloadSchemas,
  exchanges,
  handlerAnnouncePayloadSchema,
  handlerCallPayloadSchema,
  handlerResultPayloadSchema,
  isRequestChannel,
  progressPayloadSchema,
  requestPayloadSchema,
  responseErrorSchema,
  responsePayloadSchema,
  routeOf,
  routingFieldOf,
} from './messages.js';
export { hookOutcomeSchema, outcomeStatuses, warningSchema } from './results/outcome.js';
export { nearestName } from '@tenterhook/runtime/text';
export { pathText } from '@tenterhook/runtime/json';
export { isPlainObject } from '@tenterhook/runtime/json';
export { processResult } from './results/processed-result.js';
export { replacesCandidates } from './model/replaces-candidates.js';
export { isSameCandidates } from './model/same-candidates.js';
export { isSameJson } from '@tenterhook/runtime/json';
export { unusableValue } from './results/unusable-value.js';
export { writtenFields } from './model/written-fields.js';

export type { AggregatedHookResult, Change, Verdict } from './results/aggregated-result.js';
export type { DiagnosticCode, ErrorCode, HookCode, SkipReason } from './codes.js';
export type { ShownAction } from './hooks/describe-hook.js';
export type { Diagnostic } from './hooks/diagnostic.js';
export type {
  CombinedSettings,
  Decoded,
  Dialect,
  DialectContext,
  ParsedDocument,
  ParsedSettings,
  Selection,
  SettingsDocument,
  SettingsLocation,
  SettingsLookalike,
} from './dialect/dialect.js';
export type { EventEntry, EventPowers, MergeStrategy, Rewrite, RewriteRule } from './events/event-entry.js';
export type { Captured, Detachment, Exit, HookEvent, HookExecutor, Invocation, ReadableExit } from './dialect/execution.js';
export type { HookDecision, VerdictKind } from './results/hook-decision.js';
export type { HookAction, HookDefinition, LoadSkip } from './hooks/hook-definition.js';
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
} from './events/hook-input.js';
export type {
  AfterModelOutput,
  AfterToolOutput,
  BeforeModelOutput,
  BeforeToolOutput,
  BeforeToolSelectionOutput,
  HookOutput,
} from './results/hook-output.js';
export type { Changes, HookSource } from './hooks/hook-source.js';
export type { HookToolConfig, LLMMessage, LLMRequest, LLMResponse } from './model/llm.js';
export type {
  BusMessage,
  Channel,
  HookExecutionCancel,
  HookExecutionProgress,
  HookExecutionRequest,
  HookExecutionResponse,
  MessageOf,
  PayloadOf,
  RequestChannel,
  ResponseError,
  ResponseOf,
} from './messages.js';
export type { HookOutcome, HookWarning, OutcomeStatus } from './results/outcome.js';
export type { Plan, SkippedHook, Stage } from './dialect/plan.js';
export type { ProcessedHookResult } from './results/processed-result.js';
export type { CommandHookConfig, HookConfig, HookGroup, SettingsHooks } from './hooks/settings-hooks.js';
