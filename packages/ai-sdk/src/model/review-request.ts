import type { HookClient, HookMessages, ToolSelection } from '@tenterhook/agent';
import { abortError, modelEvents, reviewRequestWithHooks, tellMessages, toNotes } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { CallParams, GenerateResult } from './find-model.js';
import type { CalledModel } from './hooked-model.js';
import { createEndedResponse, toMadeResponse } from './made-response.js';
import { type CallFacts, noteCalls, notesCalls } from './note-calls.js';
import { takeStop, writeAdditions } from './prompt-notes.js';

/** What hooks decided before the model is called. `ended`: the model is not called, and this is the response. */
export type OpenedCall =
  | { readonly kind: 'ended'; readonly response: GenerateResult }
  | {
      readonly kind: 'open';
      readonly request: CallParams;
      readonly toolSelection?: ToolSelection | undefined;
      readonly facts: CallFacts;
    };

/** Fires the events before a model call. Throws the reason of the abort if the call was cancelled. */
export async function openCall(client: HookClient, hooked: CalledModel, params: CallParams): Promise<OpenedCall> {
  const { translator, options } = hooked;
  const signal = params.abortSignal;
  const stop = takeStop(hooked.run, params.prompt);
  if (stop !== undefined) return { kind: 'ended', response: createEndedResponse(hooked, 'stopped', stop) };
  const request = writeAdditions(hooked.run, params);
  const reviewed = await reviewRequestWithHooks<CallParams, GenerateResult>(client, {
    request,
    translator,
    ...omitUndefined({ ask: options.ask, maxRetries: options.maxRetries, signal }),
  });
  tellMessages(options.onMessage, reviewed, modelEvents(reviewed));
  if (reviewed.status === 'ready') {
    const { toolSelection } = reviewed;
    return { kind: 'open', request: reviewed.request, toolSelection, facts: toFacts(client, hooked, params, reviewed, toolSelection) };
  }
  if (reviewed.status === 'stopped' && reviewed.cancelled) throw abortError(signal);
  const response = toMadeResponse(hooked, reviewed as Exclude<typeof reviewed, { status: 'responded' }>);
  // The response of a hook may call tools, which the selection concerns too.
  noteCalls(hooked.run, response.content, toFacts(client, hooked, params, reviewed, reviewed.toolSelection));
  return { kind: 'ended', response };
}

function toFacts(
  client: HookClient,
  { options, run }: CalledModel,
  { abortSignal }: CallParams,
  messages: HookMessages,
  toolSelection: ToolSelection | undefined,
): CallFacts {
  const isForApprovals = notesCalls(client, options);
  const additions = toNotes(messages);
  return {
    ...omitUndefined({ toolSelection, signal: isForApprovals ? abortSignal : undefined }),
    additions,
    isNeeded: isForApprovals || toolSelection !== undefined || additions.length > 0 || run.hasLeft,
  };
}
