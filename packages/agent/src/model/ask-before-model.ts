import type { LLMResponse } from '@tenterhook/protocol';
import { isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { pickReasons } from '../client/hook-messages.js';
import { hasRun, refuseUnanswered } from '../client/unanswered.js';
import { askUser } from '../permission/ask-user.js';
import { fireBeforeEvent } from '../permission/fire-before-event.js';
import { createEmptyResponse, type FinishedModelCall, type ModelCallOptions, toCancelled, toEnded } from './model-call.js';
import { copyShown, type ModelProgress, rewriteRequest, selectTools, toRequestFields } from './model-request.js';
import { withPlainTexts } from './plain-texts.js';

/** The result of the events before a model call. `ended`: the model must not be called. `open`: call it with the request in `progress`. */
export type BeforeModelAnswer<Request, Response> =
  | { readonly kind: 'ended'; readonly outcome: FinishedModelCall<Request, Response> }
  | { readonly kind: 'open'; readonly progress: ModelProgress<Request> };

/** Fires BeforeToolSelection (only if the request has tools) and BeforeModel. Asks the user if a hook asks. */
export async function askBeforeModel<Request, Response>(
  client: HookClient,
  modelCall: ModelCallOptions<Request, Response>,
): Promise<BeforeModelAnswer<Request, Response>> {
  const isShown = client.has('BeforeToolSelection') || client.has('BeforeModel');
  const request = isShown ? withPlainTexts(modelCall.request) : modelCall.request;
  const selected = await selectTools(client, modelCall.translator, request, modelCall.signal);
  if (selected.selection?.verdict.stop)
    return ended({ ...toEnded(selected, modelCall), ...pickReasons(selected.selection.verdict), status: 'stopped' });
  return askHooks(client, modelCall, selected);
}

/**
 * The maximum number of times that hooks are asked about one request. They are asked again if the host changes the request while the
 * hooks run.
 */
const maxRounds = 3;

async function askHooks<Request, Response>(
  client: HookClient,
  modelCall: ModelCallOptions<Request, Response>,
  selected: ModelProgress<Request>,
  round = 1,
): Promise<BeforeModelAnswer<Request, Response>> {
  const { translator, signal } = modelCall;
  const unselected = selected.selection === undefined || signal?.aborted ? undefined : refuseUnanswered(selected.selection, client);
  if (unselected !== undefined) return ended(toBlocked(modelCall, selected, unselected.reason, unselected.retryAfterMs));
  // The request is translated only if there are hooks, because a history may have megabytes.
  const shown = client.has('BeforeModel') ? copyShown(toRequestFields(modelCall, selected)) : undefined;
  const permission = await fireBeforeEvent(client, {
    eventName: 'BeforeModel',
    input: shown ?? {},
    ...omitUndefined({ maxRetries: modelCall.maxRetries, signal }),
  });
  const { before } = permission;
  const progress = before === undefined ? selected : rewriteRequest(translator, { ...selected, before });
  const answer = before?.finalOutput?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
  const synthetic =
    answer === undefined ? {} : { response: translator.fromHookResponse(structuredClone(answer), undefined, { replacesCandidates: true }) };

  if (permission.kind === 'stopped') {
    return ended({ ...toEnded(progress, modelCall), ...synthetic, ...pickReasons(permission.before.verdict), status: 'stopped' });
  }
  // If a guard could not be asked, the response that another hook provided is not used.
  const isUnanswered = permission.kind === 'blocked' && permission.before.verdict.kind !== 'deny';
  if (synthetic.response !== undefined && !isUnanswered) {
    const reason = before?.verdict.kind === 'deny' ? before.verdict.reason : undefined;
    return ended({
      ...toEnded(progress, modelCall),
      response: synthetic.response,
      ...omitUndefined({ reason }),
      status: 'synthetic',
    });
  }
  if (permission.kind === 'cancelled') return ended(toCancelled(modelCall, progress));
  if (permission.kind === 'blocked') return ended(toBlocked(modelCall, progress, permission.reason, permission.retryAfterMs));
  if (permission.kind === 'ask') {
    const { reason, by } = permission.before.verdict;
    const subject = translator.toHookRequest(progress.request).model ?? 'model';
    const question = {
      eventName: 'BeforeModel' as const,
      subject,
      input: progress.request,
      by,
      ...omitUndefined({ reason }),
    };
    const refusal = await askUser(modelCall.ask, question, signal);
    if (refusal !== undefined) return ended(toBlocked(modelCall, progress, refusal));
  }
  if (signal?.aborted) return ended(toCancelled(modelCall, progress));
  // The request is an object of the host, which may change it while hooks or the user decide. Sending a copy to the model was rejected,
  // because requests have parts that JSON cannot represent.
  const hasChanged = hasRun(before) && !isSameJson(copyShown(toRequestFields(modelCall, selected)), shown);
  if (!hasChanged) return { kind: 'open', progress };
  if (round < maxRounds) return askHooks(client, modelCall, selected, round + 1);
  return ended(
    toBlocked(
      modelCall,
      progress,
      `The request changed ${round} times while hooks checked it, so it was not sent. Pass a copy of the history.`,
    ),
  );
}

function ended<Request, Response>(outcome: FinishedModelCall<Request, Response>): BeforeModelAnswer<Request, Response> {
  return { kind: 'ended', outcome };
}

function toBlocked<Request, Response>(
  modelCall: ModelCallOptions<Request, Response>,
  progress: ModelProgress<Request>,
  reason: string,
  retryAfterMs?: number,
): FinishedModelCall<Request, Response> {
  const response = createEmptyResponse(modelCall.translator);
  return { ...toEnded(progress, modelCall), response, reason, ...omitUndefined({ retryAfterMs }), status: 'blocked' };
}

/**
 * Throws a TypeError for an invalid provider, even if there are no hooks. Otherwise the mistake would appear only when the first hook is
 * added.
 */
export function requireProvider(caller: string, provider: unknown): void {
  if (provider !== undefined && typeof provider !== 'string')
    throw new TypeError(`${caller}: "modelProvider" (or "provider" of the translator) must be a string, and is ${String(provider)}.`);
}
