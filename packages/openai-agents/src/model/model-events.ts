import { type HookClient, reviewResponseWithHooks, type ToolSelection } from '@tenterhook/agent';
import { abortError, modelEvents, reviewRequestWithHooks, tellMessage, tellMessages, toNotes } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { ModelRequest, ModelResponse } from '../agents-sdk.js';
import { noteCallId } from '../call-ids.js';
import type { CalledModel } from './hooked-model.js';
import { takeStop, writeAdditions } from './input-notes.js';
import { createEndedResponse, toMadeResponse } from './made-response.js';
import { placesOfNext } from './place-of-call.js';

/** What is known of a model call for the tool calls of its answer. */
export interface CallFacts {
  readonly toolSelection?: ToolSelection | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Messages of hooks for the model. It reads them behind the result of the first call. */
  readonly notes: readonly string[];
  /** The input of the request, without the changes of hooks. */
  readonly before: ModelRequest['input'];
}

/** What hooks decided before the model is called. `ended`: the model is not called, and this is its response. */
export type OpenedCall =
  | { readonly kind: 'ended'; readonly response: ModelResponse }
  | { readonly kind: 'open'; readonly request: ModelRequest; readonly facts: CallFacts };

/** Fires the events before a model call. Throws the reason of an abort. */
export async function openCall(client: HookClient, hooked: CalledModel, request: ModelRequest): Promise<OpenedCall> {
  const { translator, options, run } = hooked;
  const { signal, input: before } = request;
  const stop = takeStop(run, request);
  if (stop !== undefined) return { kind: 'ended', response: createEndedResponse(hooked, request, 'stopped', stop) };
  const reviewed = await reviewRequestWithHooks(client, {
    request: writeAdditions(run, request),
    translator,
    ...omitUndefined({ ask: options.ask, maxRetries: options.maxRetries, signal }),
  });
  tellMessages(options.onMessage, reviewed, modelEvents(reviewed));
  if (reviewed.status === 'ready') {
    const { toolSelection } = reviewed;
    return { kind: 'open', request: reviewed.request, facts: { toolSelection, signal, notes: toNotes(reviewed), before } };
  }
  if (reviewed.cancelled) throw abortError(signal);
  return { kind: 'ended', response: toMadeResponse(hooked, request, reviewed as Parameters<typeof toMadeResponse>[2]) };
}

/** A response of the model, and the call that led to it. */
export interface AnsweredCall {
  readonly request: ModelRequest;
  readonly response: ModelResponse;
  /** When the model was called, by `performance.now()`. */
  readonly began: number;
  readonly facts: CallFacts;
}

/** What hooks decided about a response. `response` is the same object if no hook changed it. */
export interface ReviewedResponse {
  readonly response: ModelResponse;
  readonly facts: CallFacts;
  /** A hook stops the agent, and this is the reason. */
  readonly stop?: string;
}

/** Fires AfterModel. Throws the reason of an abort. */
export async function reviewResponse(client: HookClient, hooked: CalledModel, call: AnsweredCall): Promise<ReviewedResponse> {
  const { request, response, began, facts } = call;
  if (!client.has('AfterModel')) return { response, facts };
  const { translator, options } = hooked;
  const outcome = await reviewResponseWithHooks(client, {
    request,
    translator,
    response,
    durationMs: performance.now() - began,
    ...omitUndefined({ toolSelection: facts.toolSelection, signal: request.signal }),
  });
  tellMessages(options.onMessage, outcome, modelEvents(outcome));
  // After an abort the hooks have not checked the whole response, so it is not passed on.
  request.signal?.throwIfAborted();
  const noted = { ...facts, notes: [...facts.notes, ...toNotes(outcome)] };
  if (outcome.status === 'responded') {
    // A deny after the answer changes nothing, so only the user receives the reason.
    if (outcome.reason !== undefined) tellMessage(options.onMessage, { text: outcome.reason, audience: 'user', eventName: 'AfterModel' });
    return { response: outcome.response, facts: noted };
  }
  const made = toMadeResponse(hooked, request, outcome);
  const stop = outcome.stopReason ?? outcome.reason ?? 'A hook stopped the agent.';
  return { response: { ...made, usage: response.usage }, facts: noted, stop };
}

const neverAborts = new AbortController().signal;

/** Enters the tool calls of an answer. */
export function enterCalls(
  { translator, run }: CalledModel,
  response: ModelResponse,
  { toolSelection, signal = neverAborts, notes, before }: CallFacts,
  stop?: string,
): void {
  const calls = (translator.toolCalls?.(response) ?? []).flatMap(({ id, name, args }) =>
    id === undefined ? [] : [{ id, name, input: args }],
  );
  if (calls.length === 0) return;
  const places = placesOfNext(run, before, calls);
  for (const [at, { id, input }] of calls.entries()) {
    noteCallId(input, id);
    run.begin(id, { signal, ...omitUndefined({ toolSelection }) });
    run.place(id, places[at]!);
    const texts = at === 0 ? notes : [];
    if (texts.length > 0 || stop !== undefined) run.leave(id, { texts, ...(stop === undefined ? {} : { stop: { stopReason: stop } }) });
  }
}
