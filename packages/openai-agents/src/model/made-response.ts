import type { FinishedModelCall } from '@tenterhook/agent';
import { fieldsOf, HookBlockedError } from '@tenterhook/agent/internal';
import type { ModelRequest, ModelResponse } from '../agents-sdk.js';
import type { HookedModel } from './hooked-model.js';

type Ended = Exclude<FinishedModelCall<ModelRequest, ModelResponse>, { readonly status: 'responded' }>;

/** Returns the response of a call that hooks ended: the one of a hook, or the reason as the answer of the model. It has no tool calls. */
export function toMadeResponse(hooked: HookedModel, request: ModelRequest, outcome: Ended): ModelResponse {
  if (outcome.status === 'synthetic') return outcome.response;
  const text = (outcome.status === 'stopped' ? outcome.stopReason : undefined) ?? outcome.reason ?? 'A hook stopped the agent.';
  return createEndedResponse(hooked, request, outcome.status, text);
}

/**
 * Returns a response with a text of hooks, which ends the run. If the agent must answer with JSON, a text is not an answer, so this throws the
 * text as an error.
 */
export function createEndedResponse(
  { translator }: HookedModel,
  { outputType }: ModelRequest,
  status: 'blocked' | 'stopped',
  text: string,
): ModelResponse {
  if (outputType !== undefined && outputType !== 'text') throw new HookBlockedError(text);
  const response = translator.fromHookResponse({ text }, undefined, { replacesCandidates: true });
  return { ...response, providerData: { tenterhook: { status, reason: text } } };
}

/** Whether hooks stopped the agent with this response. */
export function isStopped(response: ModelResponse | undefined): boolean {
  return fieldsOf(response?.providerData?.['tenterhook'])['status'] === 'stopped';
}
