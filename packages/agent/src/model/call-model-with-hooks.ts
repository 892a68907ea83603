import { type AggregatedHookResult, type LLMResponse, replacesCandidates } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { failureText, refusalByFailure } from '../client/failure-text.js';
import type { HookClient } from '../client/hook-client.js';
import { type HookMessages, messagesOf } from '../client/hook-messages.js';
import { type Ask, refusalByUser } from '../permission/ask-user.js';
import { seekPermission } from '../permission/fire-before-event.js';
import { AbandonedError, untilAbandoned } from '../race-with-abort.js';
import { reasonsOf } from '../reasons-of.js';
import { requireCall } from '../require-call.js';
import { shownToolCalls } from '../shown-tool-calls.js';
import type { ToolSelection } from '../tool/tool-selection.js';
import type { LlmTranslator } from '../translators/llm-translator.js';
import { type ModelProgress, requestFields, rewrittenRequest, selectTools } from './model-request.js';

export interface ModelCall<Request, Response> {
  readonly request: Request;
  /** Between the SDK's objects and what hooks read and write. */
  readonly translator: LlmTranslator<Request, Response>;
  /** Calls the model with the request as hooks rewrote it, and resolves when the response is complete (decision 15). What it throws is thrown on. */
  readonly call: (request: Request, options: { readonly signal: AbortSignal }) => Response | Promise<Response>;
  /** Who serves the model, for hooks that read it. @default what the translator knows */
  readonly modelProvider?: string | undefined;
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

export type FinishedModelCall<Request, Response> =
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
 * BeforeToolSelection is fired for requests that carry tools. Rejects only with what `call` throws, and with a TypeError where it gives nothing.
 */
export async function callModelWithHooks<Request, Response>(
  client: HookClient,
  modelCall: ModelCall<Request, Response>,
): Promise<FinishedModelCall<Request, Response>> {
  const { translator, call } = modelCall;
  requireCall('callModelWithHooks', client, { call, 'translator.toHookRequest': translator?.toHookRequest });
  requireProvider(modelCall.modelProvider ?? translator.provider);
  const selected = await selectTools(client, modelCall.translator, modelCall.request, modelCall.signal);
  if (selected.selection?.verdict.stop)
    return { ...endedOf(selected, modelCall), ...reasonsOf(selected.selection.verdict), status: 'stopped' };
  return askHooksAndModel(client, modelCall, selected);
}

async function askHooksAndModel<Request, Response>(
  client: HookClient,
  modelCall: ModelCall<Request, Response>,
  selected: ModelProgress<Request>,
): Promise<FinishedModelCall<Request, Response>> {
  const { translator, signal } = modelCall;
  const unselected = selected.selection === undefined || signal?.aborted ? undefined : refusalByFailure(selected.selection, client);
  if (unselected !== undefined) return blocked(modelCall, selected, unselected);
  const permission = await seekPermission(client, {
    eventName: 'BeforeModel',
    // Not translated where nobody would read it: a history may be megabytes.
    input: client.has('BeforeModel') ? requestFields(modelCall, selected) : {},
    ...omitUndefined({ maxRetries: modelCall.maxRetries, signal }),
  });
  const { before } = permission;
  const progress = before === undefined ? selected : rewrittenRequest(translator, { ...selected, before });
  const answer = before?.finalOutput?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
  const synthetic =
    answer === undefined ? {} : { response: translator.fromHookResponse(structuredClone(answer), undefined, { replacesCandidates: true }) };

  if (permission.kind === 'stopped') {
    return { ...endedOf(progress, modelCall), ...synthetic, ...reasonsOf(permission.before.verdict), status: 'stopped' };
  }
  if (synthetic.response !== undefined) {
    const reason = before?.verdict.kind === 'deny' ? before.verdict.reason : undefined;
    return {
      ...endedOf(progress, modelCall),
      response: synthetic.response,
      ...omitUndefined({ reason }),
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
      ...omitUndefined({ reason }),
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
): Promise<FinishedModelCall<Request, Response>> {
  const { translator, call, signal } = modelCall;
  const began = performance.now();
  let response: Response;
  try {
    response = await untilAbandoned(() => call(progress.request, { signal: signal ?? new AbortController().signal }), signal);
  } catch (error) {
    if (error instanceof AbandonedError) return cancelled(modelCall, progress);
    throw error;
  }
  if (response === undefined || response === null) throw new TypeError(`callModelWithHooks: "call" gave ${response}; a response was due.`);
  if (!client.has('AfterModel')) return { ...endedOf(progress, modelCall), response, status: 'responded' };

  const input = {
    ...requestFields(modelCall, progress),
    llm_response: translator.toHookResponse(response),
    ...omitUndefined({ tool_calls: shownToolCalls(translator, response) }),
    duration_ms: Math.round(performance.now() - began),
  };
  const after = await client.fire('AfterModel', input, omitUndefined({ signal }));
  const ended = endedOf({ ...progress, after }, modelCall);
  if (after.verdict.stop) {
    const text = after.verdict.stopReason ?? after.verdict.reason ?? 'The agent was stopped by a hook.';
    return { ...ended, ...reasonsOf(after.verdict), response: responseWith(translator, text), status: 'stopped' };
  }
  // Hooks that were to look at the response did not: whoever was told to stop must not show it unseen.
  if (signal?.aborted && failureText(after) !== undefined) return cancelled(modelCall, { ...progress, after });
  const changed = after.finalOutput?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
  const replacesCandidates = hasReplacedCandidates(after, input.llm_response);
  const { reason } = after.verdict.kind === 'deny' ? after.verdict : {};
  return {
    ...ended,
    response: changed === undefined ? response : translator.fromHookResponse(structuredClone(changed), response, { replacesCandidates }),
    ...omitUndefined({ reason }),
    status: 'responded',
  };
}

/** Said at once, like a missing function: at the first hook it would be an event that cannot be shown, and every call would be refused. */
function requireProvider(provider: unknown): void {
  if (provider !== undefined && typeof provider !== 'string')
    throw new TypeError(`callModelWithHooks: "modelProvider", or the translator's "provider", must be a text, not ${String(provider)}.`);
}

function blocked<Request, Response>(
  modelCall: ModelCall<Request, Response>,
  progress: ModelProgress<Request>,
  reason: string,
  retryAfterMs?: number,
): FinishedModelCall<Request, Response> {
  const response = modelCall.translator.fromHookResponse({}, undefined, { replacesCandidates: true });
  return { ...endedOf(progress, modelCall), response, reason, ...omitUndefined({ retryAfterMs }), status: 'blocked' };
}

function cancelled<Request, Response>(
  modelCall: ModelCall<Request, Response>,
  progress: ModelProgress<Request>,
): FinishedModelCall<Request, Response> {
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
    ...omitUndefined({ toolSelection, selection, before, after }),
  };
}

/** Whether a hook that counts replaced the candidates. A hook may have been shown what those before it left. */
function hasReplacedCandidates({ outcomes, changes }: AggregatedHookResult, shown: LLMResponse): boolean {
  return outcomes.some(({ hookId, status, output }) => {
    const returned = output?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
    if (returned === undefined || (status !== 'succeeded' && status !== 'blocked')) return false;
    const own = changes.findIndex((change) => change.hookId === hookId);
    const left = changes.slice(0, own < 0 ? undefined : own).filter(({ path }) => path === 'llm_response.candidates');
    return replacesCandidates(returned, [shown.candidates, ...left.map(({ after }) => after as LLMResponse['candidates'])]);
  });
}
