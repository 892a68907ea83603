import { type HookClient, reviewResponseWithHooks, type ToolSelection } from '@tenterhook/agent';
import { abortError, type KnownCall, modelEvents, pickReasons, tellMessage, tellMessages, toNotes } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { CallParams, GenerateResult } from './find-model.js';
import type { CalledModel } from './hooked-model.js';
import { toMadeResponse } from './made-response.js';
import type { CallFacts } from './note-calls.js';

/** A response of the model, and the request that led to it. */
export interface AnsweredCall {
  readonly request: CallParams;
  readonly response: GenerateResult;
  /** When the model was called, by `performance.now()`. */
  readonly began: number;
  readonly toolSelection?: ToolSelection | undefined;
  readonly facts: CallFacts;
  readonly signal: AbortSignal | undefined;
}

/** Fires AfterModel. Returns the same response object if no hook changed it. Throws the reason of the abort if it was cancelled. */
export async function reviewResponse(
  client: HookClient,
  hooked: CalledModel,
  { request, response, began, toolSelection, facts, signal }: AnsweredCall,
): Promise<{ readonly response: GenerateResult; readonly facts: CallFacts; readonly stop?: KnownCall['stop'] }> {
  if (!client.has('AfterModel')) return { response, facts };
  const { translator, options } = hooked;
  const outcome = await reviewResponseWithHooks<CallParams, GenerateResult>(client, {
    request,
    translator,
    response,
    durationMs: performance.now() - began,
    ...omitUndefined({ toolSelection, signal }),
  });
  tellMessages(options.onMessage, outcome, modelEvents(outcome));
  const noted = { ...facts, additions: [...facts.additions, ...toNotes(outcome)] };
  if (outcome.status === 'responded') {
    // A deny after the response changes nothing, so its reason is only for the user.
    if (outcome.reason !== undefined) tellMessage(options.onMessage, { text: outcome.reason, audience: 'user', eventName: 'AfterModel' });
    return { response: outcome.response, facts: noted };
  }
  if (outcome.status === 'stopped' && outcome.cancelled) throw abortError(signal);
  return { response: toMadeResponse(hooked, outcome), facts: noted, stop: pickReasons(outcome) };
}
