import { type FinishedToolCall, type HookClient, reviewToolCallWithHooks, runReviewedToolWithHooks } from '@tenterhook/agent';
import { tellMessages, toMcpContext, toNotes, toolEvents } from '@tenterhook/agent/internal';
import { isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import { type Adapter, throwAbort } from '../adapter.js';
import {
  type ToolAnswer,
  type ToolHandler,
  ToolInvocationError,
  type ToolMessage,
  type ToolRequest,
  toWholeRuntime,
} from '../langchain-library.js';
import { markFields } from '../marks.js';
import { copyMessage } from '../model/messages.js';
import { approve } from './approve.js';
import { CallOfTool } from './call-of-tool.js';
import { nameRewriters, toRewriteSchema } from './rewritten-input.js';
import { describeToolError, isGraphSignal, withErrorMessage } from './tool-error.js';
import { appendNotes, changeAnswer, createErrorMessage, mapToolMessages, showAnswer, toContent } from './tool-message.js';

/**
 * Runs a tool with the hooks of BeforeTool and AfterTool. Without such hooks, the answer of `handler` is returned, which receives the same
 * request.
 */
export function wrapToolCall(adapter: Adapter, request: ToolRequest, handler: ToolHandler): ToolAnswer | Promise<ToolAnswer> {
  const { toolCall } = request;
  const runtime = toWholeRuntime(request.runtime);
  const client = adapter.clientOf(runtime);
  // The selection of tools belongs to the answer of the model that made the call.
  const call = new CallOfTool(client, { ...request, runtime });
  const isIdle = call.known === undefined && !client.has('BeforeTool') && !client.has('AfterTool');
  if (!isIdle) return callTool(adapter, client, call, { ...request, runtime }, handler);
  const answer = handler(request) as ToolAnswer | Promise<ToolAnswer>;
  return adapter.options.toolErrors === 'throw' ? answer : withErrorMessage(toolCall, runtime.signal, answer);
}

async function callTool(
  adapter: Adapter,
  client: HookClient,
  call: CallOfTool,
  request: ToolRequest,
  handler: ToolHandler,
): Promise<ToolAnswer> {
  const { toolCall, runtime, tool } = request;
  const { onMessage, maxRetries, mcpServerOf } = adapter.options;
  const { id, name, args } = toolCall;
  const { signal } = runtime;
  const { known } = call;
  call.open();
  const reviewed = await reviewToolCallWithHooks(client, {
    name,
    input: args,
    ...omitUndefined({
      toolUseId: id,
      mcpContext: toMcpContext(mcpServerOf, name),
      schema: toRewriteSchema(tool, args),
      toolSelection: known?.toolSelection,
      maxRetries,
      signal,
    }),
  });
  const approved = await approve({ adapter, client, call, request }, reviewed);
  let answer: ToolAnswer | undefined;
  const finished = await runReviewedToolWithHooks(client, approved, {
    rethrows: isGraphSignal,
    ...omitUndefined({ signal }),
    async execute(input) {
      answer = await handler({ ...request, toolCall: { ...toolCall, args: input } });
      return showAnswer(answer);
    },
  });
  tellMessages(onMessage, finished, toolEvents(finished));
  if (finished.cancelled || (finished.status === 'failed' && signal?.aborted)) throwAbort(runtime);
  const notes = [...(known?.additions ?? []), ...toNotes(finished)];
  const changed =
    answer !== undefined
      ? changeAnswer(toolCall, answer, finished, notes)
      : Object.hasOwn(finished, 'thrown')
        ? answerError(adapter, request, finished, notes)
        : refuse(request, finished, notes);
  return finished.status === 'stopped' ? markStop(toolCall, changed, finished) : changed;
}

/** Marks the result of a call at which a hook stopped the agent. The next call of the model reads the mark. */
function markStop(call: ToolRequest['toolCall'], answer: ToolAnswer, { reason, stopReason, after }: FinishedToolCall): ToolAnswer {
  const text = stopReason ?? reason ?? 'A hook stopped the agent.';
  const mark = { status: 'stopped', eventName: after === undefined ? 'BeforeTool' : 'AfterTool', reason: text } as const;
  return mapToolMessages(answer, (message) =>
    message.tool_call_id === (call.id ?? '') ? copyMessage(message, markFields(mark, message)) : message,
  );
}

/** Returns the message for a tool that did not run. */
function refuse({ toolCall }: ToolRequest, { result }: FinishedToolCall, notes: readonly string[]): ToolMessage {
  return createErrorMessage(toolCall, appendNotes(toContent(result.llmContent), notes) as string);
}

/** Returns the message about what a tool threw, in the words of LangChain, with the changes of hooks. */
function answerError(adapter: Adapter, { toolCall }: ToolRequest, finished: FinishedToolCall, notes: readonly string[]): ToolMessage {
  const { thrown, replacement, additions = [], input } = finished;
  // An error that hooks rewrote is not thrown on, because its text may contain what they removed.
  if (adapter.options.toolErrors === 'throw' && replacement === undefined) throw thrown;
  const isMisfit = thrown instanceof ToolInvocationError && !isSameJson(input, toolCall.args);
  const cause = isMisfit ? nameRewriters([finished.before, finished.permission]) : '';
  const text = replacement === undefined ? cause + describeToolError(thrown) : toContent(replacement.value);
  return createErrorMessage(toolCall, appendNotes(appendNotes(text, additions), notes) as string);
}
