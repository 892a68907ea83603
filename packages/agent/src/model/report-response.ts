import type { AggregatedHookResult, LLMResponse } from '@tenterhook/protocol';
import { replacesCandidates } from '@tenterhook/protocol/internal';
import { isPlainObject, isSameJson, maxShownDepth, omitUndefined } from '@tenterhook/runtime/json';
import { formatFailure } from '../client/failure-text.js';
import type { HookClient } from '../client/hook-client.js';
import { pickReasons } from '../client/hook-messages.js';
import { hasRun, refuseUnanswered } from '../client/unanswered.js';
import type { LlmTranslator, ModelToolCall } from '../translators/llm-translator.js';
import { createEmptyResponse, type FinishedModelCall, type ModelCallOptions, toCancelled, toEnded } from './model-call.js';
import { copyShown, type ModelProgress, toRequestFields } from './model-request.js';
import { withPlainTexts } from './plain-texts.js';

/**
 * Fires AfterModel with the complete response, and obeys its verdict. Returns the same response object if no hook changed it and
 * `withPlainTexts` had nothing to replace.
 */
export async function reportResponse<Request, Response>(
  client: HookClient,
  modelCall: ModelCallOptions<Request, Response>,
  progress: ModelProgress<Request>,
  { response: received, durationMs }: { readonly response: Response; readonly durationMs: number },
): Promise<FinishedModelCall<Request, Response>> {
  const { translator, signal } = modelCall;
  if (!client.has('AfterModel')) return { ...toEnded(progress, modelCall), response: received, status: 'responded' };

  const response = withPlainTexts(received);
  const shown = copyShown(showResponse(translator, response));
  const input = { ...toRequestFields(modelCall, progress), ...shown, duration_ms: durationMs };
  const after = await client.fire('AfterModel', input, omitUndefined({ signal }));
  const ended = toEnded({ ...progress, after }, modelCall);
  if (after.verdict.stop) {
    const text = after.verdict.stopReason ?? after.verdict.reason ?? 'A hook stopped the agent.';
    return { ...ended, ...pickReasons(after.verdict), response: responseOfText(translator, text), status: 'stopped' };
  }
  // The model has answered, but the hooks have not checked the response. So the response is not returned.
  if (signal?.aborted && formatFailure(after) !== undefined) return toCancelled(modelCall, { ...progress, after });
  const unchecked = refuseUnanswered(after, client);
  if (unchecked !== undefined) {
    const reason = `The response was withheld, because some hooks could not check it. ${unchecked.reason}`;
    return { ...ended, response: createEmptyResponse(translator), reason, status: 'responded' };
  }
  if (hasRun(after) && !isSameJson(copyShown(showResponse(translator, response)), shown)) {
    const reason = 'The response was withheld, because it changed while hooks checked it. Return an object that does not change.';
    return { ...ended, response: createEmptyResponse(translator), reason, status: 'responded' };
  }
  const changed = after.finalOutput?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
  const replacesCandidates = hasReplacedCandidates(after, input.llm_response);
  const { reason } = after.verdict.kind === 'deny' ? after.verdict : {};
  const original = isRemoved(after) ? undefined : response;
  return {
    ...ended,
    response: changed === undefined ? response : translator.fromHookResponse(structuredClone(changed), original, { replacesCandidates }),
    ...omitUndefined({ reason }),
    status: 'responded',
  };
}

/** Returns the response as hooks receive it. */
function showResponse<Response>(translator: Pick<LlmTranslator<never, Response>, 'toHookResponse' | 'toolCalls'>, response: Response) {
  return { llm_response: translator.toHookResponse(response), ...omitUndefined({ tool_calls: formatToolCalls(translator, response) }) };
}

/** Makes a complete response with only this text, in the format of the translator's SDK, e.g. for a model call that was not made. */
export function responseOfText<Response>(translator: Pick<LlmTranslator<never, Response>, 'fromHookResponse'>, text: string): Response {
  const candidates = [{ content: { role: 'model', parts: [text] }, finishReason: 'STOP', index: 0 }];
  return translator.fromHookResponse({ text, candidates }, undefined, { replacesCandidates: true });
}

/**
 * Whether a hook replaced the candidates. The output of a failed hook is ignored, unless its failure denies (`failedClosed`). A hook may
 * also return the candidates that it received, which is not a replacement. So the returned candidates are compared with the original ones,
 * and with those that earlier hooks wrote.
 */
function hasReplacedCandidates({ outcomes, changes }: AggregatedHookResult, shown: LLMResponse): boolean {
  return outcomes.some(({ hookId, status, failedClosed, output, recheck }) => {
    const returned = output?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined;
    if (returned === undefined || (status !== 'succeeded' && status !== 'blocked' && !failedClosed)) return false;
    // A hook that was run again may have received the candidates of any other hook, so its candidates are compared with those of all hooks.
    const own = recheck ? -1 : changes.findIndex((change) => change.hookId === hookId);
    const left = changes.slice(0, own < 0 ? undefined : own).filter(({ path }) => path === 'llm_response.candidates');
    return replacesCandidates(returned, [shown.candidates, ...left.map(({ after }) => after as LLMResponse['candidates'])]);
  });
}

/**
 * Whether a hook removed the whole response: it denied, or its failure denies (`failedClosed`), and it left no candidate. In that case
 * nothing of the original is kept. Its other fields, such as the reasoning of the model, may repeat what was removed.
 */
function isRemoved({ outcomes }: AggregatedHookResult): boolean {
  return outcomes.some(({ status, failedClosed, output }) => {
    if (status !== 'blocked' && failedClosed !== true) return false;
    return (output?.hookSpecificOutput?.['llm_response'] as LLMResponse | undefined)?.candidates?.length === 0;
  });
}

/**
 * Returns the tool calls in the format of hooks, or undefined if the translator does not list them. Arguments that JSON cannot represent
 * become empty. Otherwise the event could not be sent, and a model could hide its answer from hooks with deeply nested arguments.
 */
function formatToolCalls<Response>(
  translator: Pick<LlmTranslator<never, Response>, 'toolCalls'>,
  response: Response,
): ModelToolCall[] | undefined {
  try {
    return translator.toolCalls?.(response).map(({ name, args }) => ({ name, args: isWritable(args, maxShownDepth) ? args : {} }));
  } catch {
    // A translator may be code of the host. If it throws, the answer of the model must still be returned.
    return undefined;
  }
}

function isWritable(value: unknown, depth: number): boolean {
  if (typeof value === 'bigint') return false;
  if (!Array.isArray(value) && !isPlainObject(value)) return true;
  return depth > 0 && Object.values(value).every((item) => isWritable(item, depth - 1));
}
