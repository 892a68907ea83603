import { type AggregatedHookResult, type LLMResponse, replacesCandidates } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { formatFailure } from '../client/failure-text.js';
import { type HookClient, requireClient } from '../client/hook-client.js';
import { collectMessages, type HookMessages, pickReasons } from '../client/hook-messages.js';
import { refuseUnanswered } from '../client/unanswered.js';
import { type Ask, askUser } from '../permission/ask-user.js';
import { fireBeforeEvent } from '../permission/fire-before-event.js';
import { AbortTimeoutError, raceWithAbort } from '../race-with-abort.js';
import type { ToolSelection } from '../tool/tool-selection.js';
import type { LlmTranslator, ModelToolCall } from '../translators/llm-translator.js';
import { type ModelProgress, rewriteRequest, selectTools, toRequestFields } from './model-request.js';

/** A call of the model, and how it is carried out. */
export interface ModelCall<Request, Response> {
  readonly request: Request;
  /** Converts between the SDK's objects and the format of hooks. */
  readonly translator: LlmTranslator<Request, Response>;
  /** Calls the model with the request as hooks rewrote it, and resolves when the response is complete (decision 15). What it throws is rethrown. */
  readonly call: (request: Request, options: { readonly signal: AbortSignal }) => Response | Promise<Response>;
  /** The provider of the model, for hooks that read it. @default the provider of the translator */
  readonly modelProvider?: string | undefined;
  /** @default no user can be asked, and ask is a deny */
  readonly ask?: Ask | undefined;
  /** How often BeforeModel is fired again for a call that a hook postponed. An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Ended<Request> extends HookMessages {
  /** What the model received, or would have received. */
  readonly request: Request;
  /** Which tools the model may call now; pass it to `executeToolWithHooks`, which enforces it. Absent when hooks set no limit. */
  readonly toolSelection?: ToolSelection;
  /** The result of BeforeToolSelection. */
  readonly selection?: AggregatedHookResult;
  readonly before?: AggregatedHookResult;
  readonly after?: AggregatedHookResult;
}

/** How a call of the model ended; `status` says it. */
export type FinishedModelCall<Request, Response> =
  /**
   * The model answered. `reason` is the objection of a hook of AfterModel; it undoes nothing. If these hooks were not all asked, `reason` says why,
   * and the response is an empty one.
   */
  | (Ended<Request> & { readonly status: 'responded'; readonly response: Response; readonly reason?: string })
  /** The model was not called: a hook gave the response, with or without a deny (decision 13). */
  | (Ended<Request> & { readonly status: 'synthetic'; readonly response: Response; readonly reason?: string })
  /** The model was not called; the response is an empty one. */
  | (Ended<Request> & { readonly status: 'blocked'; readonly response: Response; readonly reason: string; readonly retryAfterMs?: number })
  /** The agent loop ends. After the model was called, the response carries the stop reason in place of what it said. */
  | (Ended<Request> & { readonly status: 'stopped'; readonly response?: Response; readonly reason?: string; readonly stopReason?: string });

/**
 * Fires BeforeToolSelection (for requests that carry tools) and BeforeModel, asks the user where a hook asks, calls the model, fires AfterModel,
 * and obeys all verdicts. Rejects only with what `call` throws, and with a TypeError when it returns nothing.
 */
export async function callModelWithHooks<Request, Response>(
  client: HookClient,
  modelCall: ModelCall<Request, Response>,
): Promise<FinishedModelCall<Request, Response>> {
  const { translator, call } = modelCall;
  requireClient('callModelWithHooks', client, { call, 'translator.toHookRequest': translator?.toHookRequest });
  requireProvider(modelCall.modelProvider ?? translator.provider);
  const selected = await selectTools(client, modelCall.translator, modelCall.request, modelCall.signal);
  if (selected.selection?.verdict.stop)
    return { ...toEnded(selected, modelCall), ...pickReasons(selected.selection.verdict), status: 'stopped' };
  return askHooksAndModel(client, modelCall, selected);
}

async function askHooksAndModel<Request, Response>(
  client: HookClient,
  modelCall: ModelCall<Request, Response>,
  selected: ModelProgress<Request>,
): Promise<FinishedModelCall<Request, Response>> {
  const { translator, signal } = modelCall;
  const unselected = selected.selection === undefined || signal?.aborted ? undefined : refuseUnanswered(selected.selection, client);
  if (unselected !== undefined) return blocked(modelCall, selected, unselected.reason, unselected.retryAfterMs);
  const permission = await fireBeforeEvent(client, {
    eventName: 'BeforeModel',
    // Translated only when there are hooks: a history may be megabytes.
    input: client.has('BeforeModel') ? toRequestFields(modelCall, selected) : {},
    ...omitUndefined({ maxRetries: modelCall.maxRetries, signal }),
  });
  const { before } = permission;
  const progress = before === undefined ? selected : rewriteRequest(translator, { ...selected, before });
  const answer = before?.finalOutput?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
  const synthetic =
    answer === undefined ? {} : { response: translator.fromHookResponse(structuredClone(answer), undefined, { replacesCandidates: true }) };

  if (permission.kind === 'stopped') {
    return { ...toEnded(progress, modelCall), ...synthetic, ...pickReasons(permission.before.verdict), status: 'stopped' };
  }
  if (synthetic.response !== undefined) {
    const reason = before?.verdict.kind === 'deny' ? before.verdict.reason : undefined;
    return {
      ...toEnded(progress, modelCall),
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
    const refusal = await askUser(modelCall.ask, question, signal);
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
    response = await raceWithAbort(() => call(progress.request, { signal: signal ?? new AbortController().signal }), signal);
  } catch (error) {
    if (error instanceof AbortTimeoutError) return cancelled(modelCall, progress);
    throw error;
  }
  if (response === undefined || response === null)
    throw new TypeError(`callModelWithHooks: "call" must return a response, and returned ${response}.`);
  if (!client.has('AfterModel')) return { ...toEnded(progress, modelCall), response, status: 'responded' };

  const input = {
    ...toRequestFields(modelCall, progress),
    llm_response: translator.toHookResponse(response),
    ...omitUndefined({ tool_calls: formatToolCalls(translator, response) }),
    duration_ms: Math.round(performance.now() - began),
  };
  const after = await client.fire('AfterModel', input, omitUndefined({ signal }));
  const ended = toEnded({ ...progress, after }, modelCall);
  if (after.verdict.stop) {
    const text = after.verdict.stopReason ?? after.verdict.reason ?? 'A hook stopped the agent.';
    return { ...ended, ...pickReasons(after.verdict), response: createTextResponse(translator, text), status: 'stopped' };
  }
  // The hooks did not check the response, so an agent that has to stop must not show it.
  if (signal?.aborted && formatFailure(after) !== undefined) return cancelled(modelCall, { ...progress, after });
  const unchecked = refuseUnanswered(after, client);
  if (unchecked !== undefined) {
    const reason = `The response was withheld, because the hooks that check it were not all asked. ${unchecked.reason}`;
    return { ...ended, response: createEmptyResponse(translator), reason, status: 'responded' };
  }
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

/** Reported at once, like a missing function: with the first hook, the event would be invalid and every call would be refused. */
function requireProvider(provider: unknown): void {
  if (provider !== undefined && typeof provider !== 'string')
    throw new TypeError(`callModelWithHooks: "modelProvider", or the translator's "provider", must be a string, not ${String(provider)}.`);
}

function blocked<Request, Response>(
  modelCall: ModelCall<Request, Response>,
  progress: ModelProgress<Request>,
  reason: string,
  retryAfterMs?: number,
): FinishedModelCall<Request, Response> {
  const response = createEmptyResponse(modelCall.translator);
  return { ...toEnded(progress, modelCall), response, reason, ...omitUndefined({ retryAfterMs }), status: 'blocked' };
}

function cancelled<Request, Response>(
  modelCall: ModelCall<Request, Response>,
  progress: ModelProgress<Request>,
): FinishedModelCall<Request, Response> {
  return { ...toEnded(progress, modelCall), stopReason: 'The call was cancelled.', status: 'stopped' };
}

function createEmptyResponse<Response>(translator: Pick<LlmTranslator<never, Response>, 'fromHookResponse'>): Response {
  return translator.fromHookResponse({}, undefined, { replacesCandidates: true });
}

function createTextResponse<Response>(translator: Pick<LlmTranslator<never, Response>, 'fromHookResponse'>, text: string): Response {
  const candidates = [{ content: { role: 'model', parts: [text] }, finishReason: 'STOP', index: 0 }];
  return translator.fromHookResponse({ text, candidates }, undefined, { replacesCandidates: true });
}

function toEnded<Request>(progress: ModelProgress<Request>, { signal }: { readonly signal?: AbortSignal | undefined }): Ended<Request> {
  const { request, toolSelection, selection, before, after } = progress;
  return {
    ...collectMessages([selection, before, after], signal),
    request,
    ...omitUndefined({ toolSelection, selection, before, after }),
  };
}

/** Whether a hook that counts replaced the candidates. A hook may have received the candidates as earlier hooks left them. */
function hasReplacedCandidates({ outcomes, changes }: AggregatedHookResult, shown: LLMResponse): boolean {
  return outcomes.some(({ hookId, status, failedClosed, output }) => {
    const returned = output?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
    if (returned === undefined || (status !== 'succeeded' && status !== 'blocked' && !failedClosed)) return false;
    const own = changes.findIndex((change) => change.hookId === hookId);
    const left = changes.slice(0, own < 0 ? undefined : own).filter(({ path }) => path === 'llm_response.candidates');
    return replacesCandidates(returned, [shown.candidates, ...left.map(({ after }) => after as LLMResponse['candidates'])]);
  });
}

/** Deeper than real arguments, and far below the depth at which writing JSON exhausts the stack. */
const maxDepth = 200;

/**
 * The calls as hooks read them; undefined when the translator does not list them. Arguments that cannot be written as JSON become empty:
 * otherwise the whole event could not be written, and a model that nests them deeply enough would hide its answer from every hook.
 */
function formatToolCalls<Response>(
  translator: Pick<LlmTranslator<never, Response>, 'toolCalls'>,
  response: Response,
): readonly ModelToolCall[] | undefined {
  try {
    return translator.toolCalls?.(response).map(({ name, args }) => ({ name, args: isWritable(args, maxDepth) ? args : {} }));
  } catch {
    // A translator may be the host's own code: its failure must not lose the answer of the model.
    return undefined;
  }
}

function isWritable(value: unknown, depth: number): boolean {
  if (typeof value === 'bigint') return false;
  if (!Array.isArray(value) && !isPlainObject(value)) return true;
  return depth > 0 && Object.values(value).every((item) => isWritable(item, depth - 1));
}
