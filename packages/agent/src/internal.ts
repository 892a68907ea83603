/** Names for the adapters and other parts of this repository. They change without notice, so users must not import them. */

export { createCallLedger } from './tool/call-ledger.js';
export { reviewRequestWithHooks } from './model/model-call-halves.js';
export { adapterRules, functionRule, requireAdapterOptions, toMcpContext } from './adapters/adapter-options.js';
export { modelEvents, tellMessage, tellMessages, toNotes, toolEvents } from './adapters/adapter-messages.js';
export { getClient, requireClientSource } from './adapters/client-source.js';
export { HookBlockedError } from './adapters/hook-blocked-error.js';
export { findRuns, runsOf } from './adapters/runs.js';
export { askUser } from './permission/ask-user.js';
export { pickReasons } from './client/hook-messages.js';
export { AbortTimeoutError, abortError, raceWithAbort } from './race-with-abort.js';
export { toBlocked, toReady } from './tool/reviewed-tool-call.js';
export { showValue } from './tool/shown-value.js';
export { fieldsOf, fieldsOfAll, isSameList, listOf, withFields } from './translators/fields.js';
export { isBlank, readHookMessages } from './translators/hook-message.js';
export { changedConfig, changedModel, showConfig, showRequest } from './translators/hook-request.js';
export { changedText, settleFinishReason, showFinishReason, showResponse, toUsageMetadata } from './translators/hook-response.js';
export {
  filterCalls,
  joinReturnedText,
  newCallId,
  readArguments,
  readCallId,
  readCandidates,
  reuseParts,
} from './translators/returned-candidates.js';
export { readActionCall } from './translators/openai-responses/action-calls.js';
export { changedItemMessages, readItemMessages, showItemMessage } from './translators/openai-responses/messages.js';
export { outputTexts, replaceOutput, rewriteOutputText } from './translators/openai-responses/output.js';
export { rewriteMessages, rewriteMessagesAndSystem } from './translators/rewrite-messages.js';
export {
  joinSystemTexts,
  joinTextParts,
  rewriteTextParts,
  surroundParts,
  withoutTextParts,
  writeResponseText,
} from './translators/text-parts.js';
export { filterItems, isAllowed, resolveToolConfig, toToolConfig } from './translators/tool-config.js';

export type { CallLedger, KnownCall } from './tool/call-ledger.js';
export type { ReviewedModelRequest } from './model/model-call-halves.js';
export type { AdapterOptions, OptionRule } from './adapters/adapter-options.js';
export type { AdapterMessage, EventResult, OnMessage } from './adapters/adapter-messages.js';
export type { Conversation, PlacedCall } from './adapters/conversation.js';
export type { LeftByCall } from './adapters/past-call.js';
export type { Run } from './adapters/run.js';
export type { ClientSource } from './adapters/client-source.js';
export type { BlockedDetails } from './adapters/hook-blocked-error.js';
export type { Fields } from './translators/fields.js';
export type { HookMessage } from './translators/hook-message.js';
export type { ConfigNames, FoundInRequest } from './translators/hook-request.js';
export type { FinishReasons, ShownCandidate, UsageMetadata } from './translators/hook-response.js';
export type { InferredFromCall } from './translators/llm-translator.js';
export type { ResponseParts, ReturnedCall, ReturnedCandidate, ReturnedPart } from './translators/returned-candidates.js';
export type { ItemFormat } from './translators/openai-responses/items.js';
export type { MessageFormat, MessageOrSystem, RewrittenLists } from './translators/rewrite-messages.js';
export type { PartFormat, ResponsePartFormat } from './translators/text-parts.js';
export type { ToolLimits } from './translators/tool-config.js';
