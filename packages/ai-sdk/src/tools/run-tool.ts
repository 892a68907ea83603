import { executeToolWithHooks, type FinishedToolCall, type HookClient, runReviewedToolWithHooks } from '@tenterhook/agent';
import {
  abortError,
  askUser,
  HookBlockedError,
  type PlacedCall,
  type Run,
  runsOf,
  tellMessages,
  toMcpContext,
  toNotes,
  toolEvents,
} from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { Hooked } from '../options.js';
import { findCalls, placeOfNext } from '../place-of-call.js';
import { keyOfRun } from '../run-keys.js';
import { isAnswered, isApproved } from './approval-messages.js';
import { canBeApproved } from './asked-calls.js';
import { type IdentifiedCall, reviewOnce } from './reviews.js';
import type { ExecuteOptions, NamedTool } from './tool-like.js';
import { fromReplacement, toToolResult } from './tool-output.js';
import { toToolSchema } from './tool-schema.js';

/** One call of a tool, as the SDK makes it. */
export interface ToolRun extends NamedTool, Hooked {
  readonly input: unknown;
  readonly execution: ExecuteOptions;
  /** Runs the tool with the input that hooks allow, and returns its output. */
  readonly run: (input: unknown) => Promise<unknown>;
}

/** Returns the run of a call, and notes where in the conversation the call is. */
export function runOfCall(client: HookClient, call: PlacedCall, messages: readonly unknown[] | undefined): Run {
  const { id } = call;
  const run = runsOf(client).at(keyOfRun(messages, id));
  // The messages of a run that continues with an answer have the call already.
  const found = isAnswered(messages, id) ? findCalls(run, messages ?? []).findLast((each) => each.id === id) : undefined;
  if (found === undefined) run.place(id, placeOfNext(run, messages, call));
  else run.continue(id, found.place);
  return run;
}

/** Returns the call for the events before the tool, which are fired in the approval callback or in `execute`. */
export function toReviewedCall(
  run: Run,
  { name, tool, options }: NamedTool & Pick<Hooked, 'options'>,
  input: unknown,
  id: string,
): IdentifiedCall {
  return {
    name,
    input: input as Record<string, unknown>,
    toolUseId: id,
    schema: toToolSchema(tool.inputSchema, input),
    ...omitUndefined({
      mcpContext: toMcpContext(options.mcpServerOf, name),
      toolSelection: run.get(id)?.toolSelection,
      maxRetries: options.maxRetries,
    }),
  };
}

/**
 * Fires BeforeTool and AfterTool around a tool, and returns the output for the SDK. Throws what the tool threw, a `HookBlockedError` if the
 * tool must not run, and the reason of the abort if the call was cancelled.
 */
export async function runTool(client: HookClient, toolRun: ToolRun): Promise<unknown> {
  const { name, input, execution, options } = toolRun;
  const { toolCallId: id, abortSignal: signal } = execution;
  let output: unknown;
  const execute = async (effective: unknown) => {
    output = await toolRun.run(effective);
    return toToolResult(output);
  };
  const owner = runOfCall(client, { id, name, input }, execution.messages);
  const call = toReviewedCall(owner, toolRun, input, id);
  const finished =
    options.approvals === 'framework'
      ? await runApproved(client, toolRun, { ...call, ...omitUndefined({ signal }) }, execute)
      : await executeToolWithHooks(client, { ...call, execute, ...omitUndefined({ ask: options.ask, signal }) });
  recordEnd(owner, toolRun, id, finished);
  return toOutput(name, finished, output, signal);
}

/** Passes the messages of a finished call on, and keeps what later model calls need. */
export function recordEnd(run: Run, { options }: Pick<Hooked, 'options'>, id: string, finished: FinishedToolCall): void {
  tellMessages(options.onMessage, finished, toolEvents(finished));
  const { status, reason, stopReason, additions = [] } = finished;
  const stop = status === 'stopped' ? omitUndefined({ reason, stopReason }) : undefined;
  run.end(id, { texts: [...additions, ...toNotes(finished)], stop });
}

/**
 * Runs a call whose approval the framework asks for. A question counts as answered only if the user approved this call with this input.
 * Without such an answer, `ask` is used, and without it the call is refused.
 */
async function runApproved(
  client: HookClient,
  { name, input, execution, options }: ToolRun,
  call: IdentifiedCall,
  execute: (input: unknown) => Promise<{ readonly llmContent: unknown }>,
): Promise<FinishedToolCall> {
  const { toolCallId: id, messages, abortSignal: signal } = execution;
  const reviewed = await reviewOnce(client, call, messages);
  let answer: 'allow' | 'deny' | undefined;
  if (reviewed.status === 'asked') {
    if (canBeApproved(client, id, { name, input }) && isApproved(messages, { id, name, input })) answer = 'allow';
    else if (options.ask !== undefined) answer = (await askUser(options.ask, reviewed.question, signal)) === undefined ? 'allow' : 'deny';
  }
  return runReviewedToolWithHooks(client, reviewed, { execute, ...omitUndefined({ answer, signal }) });
}

function toOutput(name: string, finished: FinishedToolCall, output: unknown, signal: AbortSignal | undefined): unknown {
  const { status, replacement, result, retryAfterMs } = finished;
  // Hooks that an abort cut off might have removed something, so what they have not checked is not passed on. What a tool throws after the
  // abort is: it is an answer to the abort, by which frameworks tell it from a failure.
  if (isUnchecked(finished, signal)) throw abortError(signal);
  // The message of what was thrown may repeat what hooks removed.
  if ('thrown' in finished) throw replacement === undefined ? finished.thrown : new Error(textOf(replacement.value));
  // A tool that does not end after an abort has no output, although AfterTool was fired.
  if (status === 'failed' && finished.cancelled) throw abortError(signal);
  if (status === 'executed' || finished.after !== undefined) {
    return replacement === undefined ? output : fromReplacement(replacement.value, output);
  }
  throw new HookBlockedError(finished.reason ?? textOf(result.llmContent), { toolName: name, retryAfterMs });
}

function isUnchecked({ after, replacement, cancelled }: FinishedToolCall, signal: AbortSignal | undefined): boolean {
  if (!signal?.aborted || after === undefined || replacement !== undefined || cancelled) return false;
  return after.errors.some(({ code }) => code === 'cancelled');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
