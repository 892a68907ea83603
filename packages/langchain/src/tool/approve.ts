import { type HookClient, notifyWithHooks, type ReviewedToolCall } from '@tenterhook/agent';
import { askUser, tellMessages, toBlocked, toolEvents, toReady } from '@tenterhook/agent/internal';
import { isPlainObject, isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import type { Adapter } from '../adapter.js';
import { interrupt, type ToolRequest } from '../langchain-library.js';
import type { CallOfTool } from './call-of-tool.js';
import { countAnswers, type HookQuestion, isQuestionAbout, readSavedQuestion, toQuestion } from './saved-question.js';
import { isGraphSignal } from './tool-error.js';

type Asked = Extract<ReviewedToolCall, { status: 'asked' }>;

/** What the approval of a call needs. */
export interface Approval {
  readonly adapter: Adapter;
  readonly client: HookClient;
  readonly call: CallOfTool;
  readonly request: ToolRequest;
}

/**
 * Puts the question of a reviewed call to the user. Returns the call with the answer: `asked` becomes `ready` or `blocked`. With
 * `approvals: 'framework'`, the first time throws the interrupt of LangGraph, and the answer comes when the node runs again. Then the hooks
 * have been asked again too, and the stricter answer counts.
 */
export async function approve(approval: Approval, reviewed: ReviewedToolCall): Promise<ReviewedToolCall> {
  const { adapter, call, request } = approval;
  const { approvals, ask } = adapter.options;
  if (reviewed.status === 'ready') return approvals === 'framework' ? withEarlierAnswer(approval, reviewed) : reviewed;
  if (reviewed.status !== 'asked') return reviewed;
  if (approvals === 'framework') return suspend(approval, reviewed);
  // A middleware before this one may run the tool again, e.g. after an error. The user is not asked again about the same input.
  if (isApproved(call, reviewed)) return toReady(reviewed);
  const refusal = await askUser(ask, reviewed.question, request.runtime.signal);
  return refusal === undefined ? noteApproved(approval, reviewed) : toBlocked(reviewed, refusal);
}

async function suspend(approval: Approval, reviewed: Asked): Promise<ReviewedToolCall> {
  const { call, request } = approval;
  const { toolCall, runtime } = request;
  const question = toQuestion(toolCall, reviewed);
  const saved = await readSavedQuestion(runtime);
  if (saved === undefined) return isApproved(call, reviewed) ? toReady(reviewed) : put(approval, reviewed, question, true);
  if (!isQuestionAbout(saved, toolCall)) {
    // The tool itself asked after it was approved. Its question has replaced ours, so only this process knows what was approved.
    const isKnown = isApproved(call, reviewed);
    if (isKnown) interrupt(question);
    const reason = 'It was approved before, but the approval cannot be compared with this input. Call the tool again.';
    return isKnown ? toReady(reviewed) : toBlocked(reviewed, reason);
  }
  const isSame = isSameJson(saved, question);
  const answers = takeAnswers(request, question);
  if (answers.length > 0 && isSame) {
    const { isAllowed, message } = readDecision(answers.at(-1));
    if (isAllowed) return noteApproved(approval, reviewed);
    return toBlocked(reviewed, `The user did not allow it. ${message ?? reviewed.question.reason ?? ''}`.trim());
  }
  return put(approval, reviewed, question, !isSame);
}

/** Suspends the run. Hooks of Notification learn of it when the question leaves, which is not the case each time the node runs again. */
async function put(
  { adapter, client, request }: Approval,
  reviewed: Asked,
  question: HookQuestion,
  isNew: boolean,
): Promise<ReviewedToolCall> {
  try {
    interrupt(question);
  } catch (error) {
    if (isGraphSignal(error) && isNew) {
      const { onMessage } = adapter.options;
      const [{ name, args, description }] = question.actionRequests;
      const message = `${name} needs confirmation. ${reviewed.question.reason ?? ''}`.trim();
      const details = { tool_name: name, tool_input: args, description };
      tellMessages(onMessage, reviewed, toolEvents(reviewed));
      const { signal } = request.runtime;
      const announced = await notifyWithHooks(client, { type: 'ToolPermission', message, details }, omitUndefined({ signal }));
      tellMessages(onMessage, announced, [['Notification', announced.result]]);
    }
    throw error;
  }
  return toBlocked(reviewed, 'The answer of the application belongs to another question.');
}

/** Applies a refusal of the user to a call that hooks allow now without a question. */
async function withEarlierAnswer({ call, request }: Approval, reviewed: ReviewedToolCall): Promise<ReviewedToolCall> {
  const { toolCall, runtime } = request;
  // The checkpointer is only read in a task that runs again.
  if (countAnswers(runtime) === 0) return reviewed;
  const saved = await readSavedQuestion(runtime);
  if (!isQuestionAbout(saved, toolCall)) {
    // The tool itself asked after it was approved. The first answer is ours, and the tool must receive its own.
    if (call.approved !== undefined) interrupt(saved);
    return reviewed;
  }
  const { isAllowed, message } = readDecision(takeAnswers(request, saved).at(-1));
  return isAllowed ? reviewed : toBlocked(reviewed, `The user did not allow it. ${message ?? ''}`.trim());
}

/** Returns all answers to questions of this call. LangGraph gives one answer for each call of `interrupt()`, in their order. */
function takeAnswers({ runtime }: ToolRequest, question: unknown): unknown[] {
  return Array.from({ length: countAnswers(runtime) }, () => interrupt(question) as unknown);
}

/** Reads `{ decisions: [{ type, message? }] }`. Everything but one `approve` refuses. */
function readDecision(answer: unknown): { readonly isAllowed: boolean; readonly message?: string } {
  const decisions = isPlainObject(answer) ? answer['decisions'] : undefined;
  const [decision, ...others] = Array.isArray(decisions) ? (decisions as unknown[]) : [];
  if (!isPlainObject(decision) || others.length > 0) {
    return { isAllowed: false, message: 'The answer of the application must be { decisions: [{ type: "approve" | "reject" }] }.' };
  }
  const { type, message } = decision;
  if (type !== 'approve' && type !== 'reject') return { isAllowed: false, message: `The decision ${JSON.stringify(type)} is not offered.` };
  return { isAllowed: type === 'approve', ...(typeof message === 'string' && message !== '' ? { message } : {}) };
}

function isApproved({ approved }: CallOfTool, { name, input }: ReviewedToolCall): boolean {
  return approved?.name === name && isSameJson(approved.input, input);
}

function noteApproved({ call }: Approval, reviewed: Asked): ReviewedToolCall {
  const ready = toReady(reviewed);
  call.approve(ready);
  return ready;
}
