import { type HookClient, notifyWithHooks, type ReviewedToolCall, runReviewedToolWithHooks } from '@tenterhook/agent';
import { abortError, fieldsOf, tellMessages, toolEvents } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { Hooked } from '../options.js';
import { stopText } from '../stop-text.js';
import { isAnswered } from './approval-messages.js';
import { noteAsked } from './asked-calls.js';
import { withToolFields } from './hook-tools.js';
import { keepReview, reviewBeforehand } from './reviews.js';
import { recordEnd, runOfCall, toReviewedCall } from './run-tool.js';
import type { NamedTool } from './tool-like.js';

/** A status of AI SDK 7. AI SDK 6 knows only whether an approval is needed. */
export type ApprovalStatus = string | { readonly type: string; readonly reason?: string | undefined } | undefined;

/** What the SDK passes to an approval callback. */
interface ApprovalContext {
  readonly toolCallId: string;
  readonly messages?: readonly unknown[] | undefined;
}

/** The callbacks of this file. What `prepareCall` of an agent returns has them already, and must not ask the hooks twice. */
const callbacks = new WeakSet<object>();

function isOurs(rule: unknown): boolean {
  return typeof rule === 'function' && callbacks.has(rule);
}

/** Sets `needsApproval` on each hooked tool, which AI SDK 6 asks. AI SDK 7 asks `toolApproval` instead. */
export function hookNeedsApproval(hooked: Hooked, tools: Readonly<Record<string, object>>): Record<string, object> {
  const entries = Object.entries(tools).map(([name, tool]) => {
    const { execute, needsApproval } = fieldsOf(tool);
    if (typeof execute !== 'function' || isOurs(needsApproval)) return [name, tool] as const;
    const ask = async (input: unknown, context: ApprovalContext) => {
      const isNeeded = typeof needsApproval === 'function' ? await needsApproval(input, context) : needsApproval === true;
      const status = await askHooks(hooked, { name, tool }, input, context, isNeeded ? 'user-approval' : undefined, 'execute');
      // AI SDK 6 refuses an answered call with a general text if it needs no approval. It has one, so `execute` decides.
      return typeOf(status) === 'user-approval' || isAnswered(context.messages, context.toolCallId);
    };
    callbacks.add(ask);
    return [name, withToolFields(tool, { needsApproval: ask })] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns the setting `toolApproval` of AI SDK 7: the rules of the app, and then the hooks. */
export function hookToolApproval(hooked: Hooked, tools: Readonly<Record<string, object>>, own: unknown): unknown {
  if (isOurs(own)) return own;
  if (typeof own === 'function') {
    const ask = async (request: { readonly toolCall: Readonly<Record<string, unknown>>; readonly messages?: readonly unknown[] }) => {
      const status = (await own(request)) as ApprovalStatus;
      const { toolName, toolCallId, input } = request.toolCall;
      const tool = Object.hasOwn(tools, String(toolName)) ? tools[String(toolName)] : undefined;
      if (tool === undefined || typeof fieldsOf(tool)['execute'] !== 'function') return status;
      const context = { toolCallId: String(toolCallId), messages: request.messages };
      return askHooks(hooked, { name: String(toolName), tool }, input, context, status, 'approval');
    };
    callbacks.add(ask);
    return ask;
  }
  const rules = Object.entries(tools).flatMap(([name, tool]) => {
    const { execute, needsApproval } = fieldsOf(tool);
    if (typeof execute !== 'function') return [];
    const rule: unknown = Object.hasOwn(fieldsOf(own), name) ? fieldsOf(own)[name] : undefined;
    if (isOurs(rule)) return [[name, rule] as const];
    const ask = async (input: unknown, context: ApprovalContext & { readonly toolContext?: unknown }) => {
      const status = await ownStatus(rule, needsApproval, input, context);
      return askHooks(hooked, { name, tool }, input, context, status, 'approval');
    };
    callbacks.add(ask);
    return [[name, ask] as const];
  });
  return { ...fieldsOf(own), ...Object.fromEntries(rules) };
}

/** Evaluates the rule of the app as AI SDK 7 does: its setting wins over the tool's own `needsApproval`. */
async function ownStatus(
  rule: unknown,
  needsApproval: unknown,
  input: unknown,
  context: ApprovalContext & { readonly toolContext?: unknown },
): Promise<ApprovalStatus> {
  if (rule !== undefined && rule !== null) return (typeof rule === 'function' ? await rule(input, context) : rule) as ApprovalStatus;
  const { toolCallId, messages, toolContext } = context;
  const isNeeded =
    typeof needsApproval === 'function'
      ? await needsApproval(input, { toolCallId, messages, context: toolContext })
      : needsApproval === true;
  return isNeeded ? 'user-approval' : undefined;
}

/** The place where a refusal takes effect: AI SDK 7 refuses a call by its approval, and AI SDK 6 only when the tool runs. */
type RefusedBy = 'approval' | 'execute';

/** Fires BeforeTool in an approval callback, and returns the stricter of both answers. A hook's allow loosens the app's question. */
async function askHooks(
  hooked: Hooked,
  named: NamedTool,
  input: unknown,
  { toolCallId: id, messages }: ApprovalContext,
  own: ApprovalStatus,
  refusedBy: RefusedBy,
): Promise<ApprovalStatus> {
  const client = hooked.client();
  const asks = typeOf(own) === 'user-approval';
  // A refusal of the app stands, whatever hooks say.
  if (typeOf(own) === 'denied' || !(client.has('BeforeTool') || (asks && client.has('PermissionRequest')))) return own;
  const isResumed = isAnswered(messages, id);
  const run = runOfCall(client, { id, name: named.name, input }, messages);
  // A resumed call was made in an earlier run, whose signal says nothing about this one.
  const signal = isResumed ? undefined : run.get(id)?.signal;
  const call = {
    ...toReviewedCall(run, { ...named, options: hooked.options }, input, id),
    approval: asks ? ('ask' as const) : ('allow' as const),
    ...omitUndefined({ signal }),
  };
  const reviewed = await reviewBeforehand(client, run, call, messages, isResumed);
  if (reviewed.status === 'failed' && reviewed.cancelled) throw abortError(signal);
  // AI SDK 7 keeps refusals by the id, so one of them would count for all calls with this id.
  const isRefusedLater = refusedBy === 'execute' || run.get(id)?.isRepeated === true;
  const runs = reviewed.status === 'ready' || (reviewed.status === 'asked' ? isResumed : isRefusedLater);
  if (runs) keepReview(messages, call, reviewed);
  if (reviewed.status === 'ready') return asks ? 'not-applicable' : own;
  if (reviewed.status === 'asked') {
    const { reason } = reviewed.question;
    if (!isResumed) {
      noteAsked(client, id, { name: named.name, input });
      tellMessages(hooked.options.onMessage, reviewed, toolEvents(reviewed));
      await announce(client, named.name, reviewed, signal);
    }
    return { type: 'user-approval', ...omitUndefined({ reason }) };
  }
  if (isRefusedLater) return 'not-applicable';
  const finished = await runReviewedToolWithHooks(client, reviewed, { execute: () => ({ llmContent: '' }) });
  recordEnd(run, hooked, id, finished);
  return { type: 'denied', reason: finished.reason ?? stopText(finished) };
}

/** Tells the hooks that a question leaves the agent. */
async function announce(
  client: HookClient,
  name: string,
  { input, question }: Extract<ReviewedToolCall, { status: 'asked' }>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const message = [`${name} needs confirmation.`, ...(question.reason === undefined ? [] : [question.reason])].join(' ');
  const details = { tool_name: name, tool_input: input };
  await notifyWithHooks(client, { type: 'ToolPermission', message, details }, omitUndefined({ signal }));
}

function typeOf(status: ApprovalStatus): string | undefined {
  return typeof status === 'string' ? status : status?.type;
}
