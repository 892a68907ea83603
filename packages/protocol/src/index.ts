export { aggregatedHookResultSchema, changeSchema, verdictSchema } from './aggregated-result.js';
export { diagnosticCodes, errorCodes, hookCodes, skipReasons } from './codes.js';
export { describeHook, hookLabel, placeOfHook, shownAction } from './describe-hook.js';
export { diagnosticSchema, formatDiagnostic } from './diagnostic.js';
export {
  baseInputSchema,
  eventCatalogue,
  eventEntry,
  HookEventName,
  hookEventNames,
  isHookEventName,
  matcherSubject,
  mcpContextSchema,
} from './event-catalogue.js';
export { EXIT_CODE_BLOCKING_ERROR, EXIT_CODE_NON_BLOCKING_ERROR, EXIT_CODE_SUCCESS } from './exit-codes.js';
export { hasFailed } from './has-failed.js';
export { hookDecisionSchema, stricter, verdictKinds, verdictOf } from './hook-decision.js';
export { hookIdOf } from './hook-id.js';
export { canonicalOutputSchema, hookOutputSchema } from './hook-output.js';
export {
  AfterModelHookOutput,
  BeforeModelHookOutput,
  BeforeToolHookOutput,
  BeforeToolSelectionHookOutput,
  createHookOutput,
  DefaultHookOutput,
} from './hook-output-classes.js';
export { messagesJsonSchema } from './json-schema.js';
export { llmCandidateSchema, llmConfigSchema, llmMessageSchema, llmRequestSchema, llmResponseSchema, toolConfigSchema } from './llm.js';
export { mergeLlmRequest, mergeLlmResponse, mergeToolConfig } from './llm-merge.js';
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
export { hookOutcomeSchema, outcomeStatuses, warningSchema } from './outcome.js';
export { nearestName } from '@tenterhook/runtime/text';
export { pathText } from '@tenterhook/runtime/json';
export { isPlainObject } from '@tenterhook/runtime/json';
export { processResult } from './processed-result.js';
export { replacesCandidates } from './replaces-candidates.js';
export { isSameCandidates } from './same-candidates.js';
export { isSameJson } from '@tenterhook/runtime/json';
export { unusableValue } from './unusable-value.js';
export { writtenFields } from './written-fields.js';

export type { AggregatedHookResult, Change, Verdict } from './aggregated-result.js';
export type { DiagnosticCode, ErrorCode, HookCode, SkipReason } from './codes.js';
export type { ShownAction } from './describe-hook.js';
export type { Diagnostic } from './diagnostic.js';
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
} from './dialect.js';
export type { EventEntry, EventPowers, MergeStrategy, Rewrite, RewriteRule } from './event-entry.js';
export type { Captured, Detachment, Exit, HookEvent, HookExecutor, Invocation, ReadableExit } from './execution.js';
export type { HookDecision, VerdictKind } from './hook-decision.js';
export type { HookAction, HookDefinition, LoadSkip } from './hook-definition.js';
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
} from './hook-input.js';
export type {
  AfterModelOutput,
  AfterToolOutput,
  BeforeModelOutput,
  BeforeToolOutput,
  BeforeToolSelectionOutput,
  HookOutput,
} from './hook-output.js';
export type { Changes, HookSource } from './hook-source.js';
export type { HookToolConfig, LLMMessage, LLMRequest, LLMResponse } from './llm.js';
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
export type { HookOutcome, HookWarning, OutcomeStatus } from './outcome.js';
export type { Plan, SkippedHook, Stage } from './plan.js';
export type { ProcessedHookResult } from './processed-result.js';
export type { CommandHookConfig, HookConfig, HookGroup, SettingsHooks } from './settings-hooks.js';
