/** Names for the other packages of this repository. They change without notice, so users must not import them. */

export { keepsPromises, markKeepsPromises } from './dialect/execution.js';
export { describeType, type InputField, inputFieldsOf } from './events/event-input-fields.js';
export { splitFireOptions } from './events/fire-options.js';
export { createFailedResult } from './results/aggregated-result.js';
export { restoreResult } from './results/hook-output-classes.js';
export { outcomesIn, readOutcomes, readResponse, recordOwnResult } from './results/read-response.js';
export { brandErrors } from './tenterhook-error.js';
export { matcherSubject } from './events/event-catalogue.js';
export { baseInputSchema, hasFailed, mcpContextSchema } from './events/event-fields.js';
export { hookLabel, placeOfHook, shownAction } from './hooks/describe-hook.js';
export { diagnosticSchema } from './hooks/diagnostic.js';
export { isBelow, isOfRepository, levelOf, levelOfSource } from './hooks/hook-level.js';
export {
  acceptsPayload,
  channelPayloadSchemas,
  exchanges,
  isRequestChannel,
  messagesJsonSchema,
  routeOf,
  routingFieldOf,
} from './messages/channels.js';
export { cancelPayloadSchema, progressPayloadSchema, requestPayloadSchema, responsePayloadSchema } from './messages/execution-messages.js';
export { responseErrorSchema } from './messages/fields.js';
export { handlerAnnouncePayloadSchema, handlerCallPayloadSchema, handlerResultPayloadSchema } from './messages/handler-messages.js';
export {
  isSameCandidates,
  mergeLlmRequest,
  mergeLlmResponse,
  mergeToolConfig,
  replacesCandidates,
  writtenFields,
} from './model/llm-merge.js';
export {
  llmCandidateSchema,
  llmConfigSchema,
  llmMessageSchema,
  llmRequestSchema,
  llmResponseSchema,
  toolConfigSchema,
} from './model/llm.js';
export { aggregatedHookResultSchema, changeSchema, verdictSchema } from './results/aggregated-result.js';
export { hookDecisionSchema, stricter } from './results/hook-decision.js';
export { canonicalOutputSchema, hookOutputSchema } from './results/hook-output.js';
export { hookOutcomeSchema, warningSchema } from './results/outcome.js';
export { unusableValue } from './results/unusable-value.js';
export { isSameJson, pathText } from '@tenterhook/runtime/json';
export { nearestName } from '@tenterhook/runtime/text';

export { attempt } from './tracing/attempt.js';
export { ContainedTracing } from './tracing/contain-tracing.js';
export { readTraceContext } from './tracing/trace-context.js';

export type { ContainedEvent, ContainedHook } from './tracing/contain-tracing.js';
export type { OwnRunOptions } from './dialect/execution.js';
export { relayProgram, startsRelay } from './hooks/relay-command.js';
export { isAfterwards, policyIn, relayPolicyWords, strictestWord } from './dialect/relay-format.js';
