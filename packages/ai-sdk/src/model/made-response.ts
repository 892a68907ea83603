import type { FinishedModelCall } from '@tenterhook/agent';
import { fieldsOf, withFields } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { stopText } from '../stop-text.js';
import type { CallParams, GenerateResult } from './find-model.js';
import type { HookedModel } from './hooked-model.js';

/** Why a response is not the model's: a hook provided it, refused the call, or stopped the agent. */
export type MadeStatus = 'synthetic' | 'blocked' | 'stopped';

/**
 * Returns the response of a call that the hooks ended: the response of a hook, or the reason as the text of the model. The loop of the SDK
 * ends with it, because it has no tool calls.
 */
export function toMadeResponse(
  { translator }: Pick<HookedModel, 'translator'>,
  outcome: Exclude<FinishedModelCall<CallParams, GenerateResult>, { status: 'responded' }>,
): GenerateResult {
  const { status, reason } = outcome;
  if (status === 'synthetic') return mark(outcome.response, { status, ...omitUndefined({ reason }) });
  return createEndedResponse({ translator }, status, stopText(outcome));
}

/** Returns a response with a text of hooks. The finish reason is `content-filter`, so that the app does not take it for an answer. */
export function createEndedResponse({ translator }: Pick<HookedModel, 'translator'>, status: MadeStatus, text: string): GenerateResult {
  const candidates = [{ content: { role: 'model', parts: [text] }, finishReason: 'SAFETY', index: 0 }];
  const response = translator.fromHookResponse({ text, candidates } as never, undefined, { replacesCandidates: true });
  return mark(response, { status, reason: text });
}

/** Whether hooks stopped the agent with this response or step. */
export function isStopped(step: unknown): boolean {
  return fieldsOf(fieldsOf(fieldsOf(step)['providerMetadata'])['tenterhook'])['status'] === 'stopped';
}

function mark(response: GenerateResult, tenterhook: { readonly status: MadeStatus; readonly reason?: string }): GenerateResult {
  const metadata = fieldsOf(fieldsOf(response)['providerMetadata']);
  return withFields(response, { providerMetadata: { ...metadata, tenterhook } });
}
