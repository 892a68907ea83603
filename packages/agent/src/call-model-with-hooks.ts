import type { AggregatedHookResult, LLMResponse } from '@tenterhook/protocol';
import { type Ask, refusalByUser } from './ask.js';
import { seekPermission } from './before-event.js';
import { given } from './given.js';
import type { HookClient } from './hook-client.js';
import type { LlmTranslator } from './llm-translator.js';
import { type HookMessages, messagesOf } from './messages.js';
import { type ModelProgress, requestFields, rewrittenRequest, selectTools } from './model-progress.js';
import { requestFailure } from './request-failure.js';
import type { ToolSelection } from './tool-selection.js';

export interface ModelCall<Request, Response> {
  readonly request: Request;
  /** Between the SDK's objects and what hooks read and write. */
  readonly translator: LlmTranslator<Request, Response>;
  /** Calls the model with the request as hooks rewrote it, and resolves when the response is complete (decision 15). What it throws is thrown on. */
  readonly call: (request: Request, options: { readonly signal: AbortSignal }) => Response | Promise<Response>;
  /** @default nobody can be asked, and ask is a deny */
  readonly ask?: Ask | undefined;
  /** How often a call that a hook put off is put before the hooks again. An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Ended<Request> extends HookMessages {
  /** What the model got, or would have got. */
  readonly request: Request;
  /** Which tools the model may call now; pass it to `executeToolWithHooks`, which enforces it. Absent when hooks left that open. */
  readonly toolSelection?: ToolSelection;
  /** What became of BeforeToolSelection, BeforeModel and AfterModel. */
  readonly selection?: AggregatedHookResult;
  readonly before?: AggregatedHookResult;
  readonly after?: AggregatedHookResult;
}

export type ModelOutcome<Request, Response> =
  /** The model answered. `reason` is what a hook objected afterwards; it undoes nothing. */
  | (Ended<Request> & { readonly status: 'responded'; readonly response: Response; readonly reason?: string })
  /** The model was not called: a hook gave the response, with or without a deny (decision 13). */
  | (Ended<Request> & { readonly status: 'synthetic'; readonly response: Response; readonly reason?: string })
  /** The model was not called; the response is an empty one. */
  | (Ended<Request> & { readonly status: 'blocked'; readonly response: Response; readonly reason: string; readonly retryAfterMs?: number })
  /** The agent loop ends. After the model was called, the response carries the stop reason in place of what it said. */
  | (Ended<Request> & { readonly status: 'stopped'; readonly response?: Response; readonly reason?: string; readonly stopReason?: string });

/**
 * BeforeToolSelection, BeforeModel, the user where somebody asks, the model, AfterModel: and everything that their hooks said is obeyed.
 * BeforeToolSelection is fired for requests that carry tools. Rejects only with what `call` throws.
 */
export async function callModelWithHooks<Request, Response>(
  client: HookClient,
  modelCall: ModelCall<Request, Response>,
): Promise<ModelOutcome<Request, Response>> {
  const selected = await selectTools(client, modelCall.translator, modelCall.request, modelCall.signal);
  if (selected.selection?.verdict.stop) return { ...endedOf(selected, modelCall), ...stopOf(selected.selection), status: 'stopped' };
  return askHooksAndModel(client, modelCall, selected);
}

async function askHooksAndModel<Request, Response>(
  client: HookClient,
  modelCall: ModelCall<Request, Response>,
  selected: ModelProgress<Request>,
): Promise<ModelOutcome<Request, Response>> {
  const { translator, signal } = modelCall;
  const unavailable = signal?.aborted ? undefined : unavailableReason(client, selected.selection);
  if (unavailable !== undefined) return blocked(modelCall, selected, unavailable);
  const permission = await seekPermission(client, {
    eventName: 'BeforeModel',
    // Not translated where nobody would read it: a history may be megabytes.
    input: client.has('BeforeModel') ? requestFields(translator, selected) : {},
    ...given({ maxRetries: modelCall.maxRetries, signal }),
  });
  const { before } = permission;
  const progress = before === undefined ? selected : rewrittenRequest(translator, { ...selected, before });
  const answer = before?.finalOutput?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
  const synthetic = answer === undefined ? {} : { response: translator.fromHookResponse(answer, undefined, { replacesCandidates: true }) };

  if (permission.kind === 'stopped') {
    return { ...endedOf(progress, modelCall), ...synthetic, ...stopOf(permission.before), status: 'stopped' };
  }
  if (synthetic.response !== undefined) {
    const reason = before?.verdict.kind === 'deny' ? before.verdict.reason : undefined;
    return {
      ...endedOf(progress, modelCall),
      response: synthetic.response,
      ...given({ reason }),
      status: 'synthetic',
    };
  }
  if (permission.kind === 'cancelled') return cancelled(modelCall, progress);
  if (permission.kind === 'blocked') return blocked(modelCall, progress, permission.reason, permission.retryAfterMs);
  if (permission.kind === 'ask') {
    const { reason, by } = permission.before.verdict;
    const subject = translator.toHookRequest(progress.request).model ?? 'model';
    const question = {
      eventName: 'BeforeModel' as const,
      subject,
      input: progress.request,
      by,
      ...given({ reason }),
    };
    const refusal = await refusalByUser(modelCall.ask, question, signal);
    if (refusal !== undefined) return blocked(modelCall, progress, refusal);
  }
  if (signal?.aborted) return cancelled(modelCall, progress);
  return callAndReport(client, modelCall, progress);
}

async function callAndReport<Request, Response>(
  client: HookClient,
  modelCall: ModelCall<Request, Response>,
  progress: ModelProgress<Request>,
): Promise<ModelOutcome<Request, Response>> {
  const { translator, call, signal } = modelCall;
  const began = performance.now();
  const response = await call(progress.request, { signal: signal ?? new AbortController().signal });
  if (!client.has('AfterModel')) return { ...endedOf(progress, modelCall), response, status: 'responded' };

  const input = {
    ...requestFields(translator, progress),
    llm_response: translator.toHookResponse(response),
    duration_ms: Math.round(performance.now() - began),
  };
  const after = await client.fire('AfterModel', input, given({ signal }));
  const ended = endedOf({ ...progress, after }, modelCall);
  if (after.verdict.stop) {
    const text = after.verdict.stopReason ?? after.verdict.reason ?? 'The agent was stopped by a hook.';
    return { ...ended, ...stopOf(after), response: responseWith(translator, text), status: 'stopped' };
  }
  const changed = after.finalOutput?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
  const replacesCandidates = after.allOutputs.some((output) => responseIn(output)?.candidates !== undefined);
  const { reason } = after.verdict.kind === 'deny' ? after.verdict : {};
  return {
    ...ended,
    response: changed === undefined ? response : translator.fromHookResponse(changed, response, { replacesCandidates }),
    ...given({ reason }),
    status: 'responded',
  };
}

function unavailableReason(client: HookClient, result: AggregatedHookResult | undefined): string | undefined {
  const failure = result === undefined || client.onUnavailable === 'allow' ? undefined : requestFailure(result);
  return failure && `Hooks could not be asked (${failure.code}): ${failure.message}`;
}

function blocked<Request, Response>(
  modelCall: ModelCall<Request, Response>,
  progress: ModelProgress<Request>,
  reason: string,
  retryAfterMs?: number,
): ModelOutcome<Request, Response> {
  const response = modelCall.translator.fromHookResponse({}, undefined, { replacesCandidates: true });
  return { ...endedOf(progress, modelCall), response, reason, ...given({ retryAfterMs }), status: 'blocked' };
}

function cancelled<Request, Response>(
  modelCall: ModelCall<Request, Response>,
  progress: ModelProgress<Request>,
): ModelOutcome<Request, Response> {
  return { ...endedOf(progress, modelCall), stopReason: 'The call was cancelled.', status: 'stopped' };
}

function responseWith<Response>(translator: Pick<LlmTranslator<never, Response>, 'fromHookResponse'>, text: string): Response {
  const candidates = [{ content: { role: 'model', parts: [text] }, finishReason: 'STOP', index: 0 }];
  return translator.fromHookResponse({ text, candidates }, undefined, { replacesCandidates: true });
}

function endedOf<Request>(progress: ModelProgress<Request>, { signal }: { readonly signal?: AbortSignal | undefined }): Ended<Request> {
  const { request, toolSelection, selection, before, after } = progress;
  return {
    ...messagesOf([selection, before, after], signal),
    request,
    ...given({ toolSelection, selection, before, after }),
  };
}

function stopOf({ verdict: { reason, stopReason } }: AggregatedHookResult): { reason?: string; stopReason?: string } {
  return given({ reason, stopReason });
}

function responseIn(output: { hookSpecificOutput?: Record<string, unknown> | undefined }): LLMResponse | undefined {
  return output.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
}
