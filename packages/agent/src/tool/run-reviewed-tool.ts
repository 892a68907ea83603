import { isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import { describeAbort } from '@tenterhook/runtime/text';
import { type HookClient, requireClient } from '../client/hook-client.js';
import { collectContext, collectMessages, pickReasons } from '../client/hook-messages.js';
import { withLateMessages } from '../late/late-answers.js';
import { refusalOf } from '../permission/ask-user.js';
import { requireCall, requireReviewed, reviewedRunRules } from '../require-call.js';
import { toCallFields } from './call-fields.js';
import { rememberTool } from './recent-tools.js';
import { recordTool } from './record-tool.js';
import { findFeedback, reviewResult } from './review-result.js';
import type { ReviewedToolCall, ReviewedToolRun } from './reviewed-tool-call.js';
import type { FinishedToolCall } from './tool-call.js';
import { copyInput, type ToolInput } from './tool-input.js';
import { appendContext, createRefusedResult, reasonIn, runTool, type ToolResult } from './tool-result.js';

/**
 * Runs the tool of a reviewed call, if it may run, and fires AfterTool: the second half of `executeToolWithHooks`. BeforeTool is not fired
 * again. A call that must not run ends with the result that the model reads about it. Rejects only for wrong use, with a
 * TypeError, and with what `rethrows` lets through.
 */
export async function runReviewedToolWithHooks<Input extends object = ToolInput, Result extends ToolResult = ToolResult>(
  client: HookClient,
  reviewed: ReviewedToolCall<Input>,
  run: ReviewedToolRun<Input, Result>,
): Promise<FinishedToolCall<Input, Result>> {
  requireClient('runReviewedToolWithHooks', client, {});
  requireReviewed('runReviewedToolWithHooks', reviewed);
  requireCall('runReviewedToolWithHooks', run, reviewedRunRules);
  // Callers see generic types. Inside this package the input is plain JSON.
  const [plain, { execute, answer, rethrows, signal }] = [reviewed as unknown as ReviewedToolCall, run as unknown as ReviewedToolRun];
  const isAnswered = plain.status === 'asked' || answer === 'deny';
  const refusal = isAnswered ? refusalOf(answer, plain.question ?? {}) : undefined;
  const outcome: unknown = await recordTool(client, reviewed, () =>
    finishReviewedTool(client, plain, { execute, ...omitUndefined({ refusal, rethrows, signal }) }),
  );
  return outcome as FinishedToolCall<Input, Result>;
}

/** What is known when the user has been asked. */
interface AnsweredRun extends Pick<ReviewedToolRun, 'execute' | 'rethrows' | 'signal'> {
  /** Why the user did not allow the call. Undefined if the user allowed it or need not be asked. */
  readonly refusal?: string | undefined;
}

/** Runs the tool if it may run, and returns the outcome of the call. */
export async function finishReviewedTool(client: HookClient, reviewed: ReviewedToolCall, run: AnsweredRun): Promise<FinishedToolCall> {
  if (reviewed.status === 'stopped') return stoppedBefore(reviewed, run.signal);
  if (reviewed.status === 'blocked') {
    const { status, reason, retryAfterMs } = reviewed;
    return { ...notRun(reviewed, reason, run.signal), status, ...omitUndefined({ retryAfterMs }) };
  }
  if (reviewed.status === 'failed') {
    const { status, reason, cancelled } = reviewed;
    return { ...notRun(reviewed, reason, run.signal), status, ...omitUndefined({ cancelled }) };
  }
  if (run.refusal !== undefined) return { ...notRun(reviewed, run.refusal, run.signal), status: 'blocked' };
  if (run.signal?.aborted) {
    const reason = describeAbort('The call was cancelled', run.signal);
    return { ...notRun(reviewed, reason, run.signal), status: 'failed', cancelled: true };
  }
  return runAndReport(client, reviewed, run);
}

async function runAndReport(
  client: HookClient,
  reviewed: ReviewedToolCall,
  { execute, rethrows, signal }: Pick<ReviewedToolRun, 'execute' | 'rethrows' | 'signal'>,
): Promise<FinishedToolCall> {
  const { name, input, toolUseId, before, permission, recheck } = reviewed;
  // The name is recorded when the tool begins, so that `recent_tools` includes tools that run at the same time.
  rememberTool(client, name);
  const began = performance.now();
  // The tool receives its own copy and may change it. Hooks, the user and the outcome have the input without these changes.
  const isShown = before !== undefined || permission !== undefined || reviewed.status === 'asked' || client.has('AfterTool');
  const args = isShown ? copyInput(input) : input;
  const { raw, failure, thrown, isCancelled } = await runTool(name, (options) => execute(args, options), signal, rethrows);
  const checked = client.has('AfterTool')
    ? await reviewResult(
        client,
        raw,
        { ...toCallFields(reviewed, input, toolUseId), duration_ms: Math.round(performance.now() - began) },
        signal,
      )
    : undefined;

  const { after, result = raw } = checked ?? {};
  const feedback = after === undefined ? undefined : findFeedback(after);
  // The answers of async hooks come with the result of the next tool, so that the model need not wait for the end of a long turn.
  const late = client.late?.take();
  const texts = [...collectContext([before, after]), ...(feedback === undefined ? [] : [feedback]), ...(late?.context ?? [])];
  const ended = {
    ...withLateMessages(collectMessages([before, permission, recheck, after], signal), late),
    input,
    result: appendContext(result, texts),
    ...omitUndefined({ before, permission, recheck, after }),
    ...withAdditions(texts),
    ...(checked?.isReplaced ? { replacement: { value: result.llmContent } } : {}),
    ...(thrown === undefined ? {} : { thrown: thrown.value }),
  };
  if (after?.verdict.stop) return { ...ended, status: 'stopped', ...pickReasons(after.verdict) };
  if (failure !== undefined) {
    const reason = isSameJson(result, raw) ? failure : reasonIn(name, result);
    return { ...ended, status: 'failed', reason, ...(isCancelled ? { cancelled: true } : {}) };
  }
  return { ...ended, status: 'executed', ...omitUndefined({ reason: feedback }) };
}

function notRun({ input, before, permission, recheck }: ReviewedToolCall, reason: string, signal: AbortSignal | undefined) {
  const context = collectContext([before]);
  return {
    ...collectMessages([before, permission, recheck], signal),
    input,
    result: appendContext(createRefusedResult(reason), context),
    reason,
    ...omitUndefined({ before, permission, recheck }),
    ...withAdditions(context),
  };
}

function stoppedBefore(reviewed: ReviewedToolCall, signal: AbortSignal | undefined): FinishedToolCall {
  const { reason, stopReason } = reviewed;
  const text = `A hook stopped the agent before ${reviewed.name} ran. ${stopReason ?? reason ?? ''}`.trim();
  const { reason: _reason, ...ended } = notRun(reviewed, text, signal);
  return { ...ended, ...pickReasons({ reason, stopReason }), status: 'stopped' };
}

function withAdditions(texts: readonly string[]): { readonly additions?: readonly string[] } {
  return texts.length === 0 ? {} : { additions: texts };
}
