import type { AggregatedHookResult } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { describeAbort } from '@tenterhook/runtime/text';
import { type HookClient, requireClient } from '../client/hook-client.js';
import { collectMessages, type HookMessages, pickReasons } from '../client/hook-messages.js';
import type { Refusal } from '../client/unanswered.js';
import { fireBeforeEvent } from '../permission/fire-before-event.js';
import { type PermissionAnswer, requestPermission } from '../permission/permission-request.js';
import { requireCall, reviewRules } from '../require-call.js';
import { toCallFields } from './call-fields.js';
import { getRecentTools } from './recent-tools.js';
import type { ReviewedToolCall } from './reviewed-tool-call.js';
import type { ToolCallToReview } from './tool-call.js';
import { findInputProblem, type ToolInput, toRewrittenInput, toShownInput } from './tool-input.js';
import { refuseBySelection } from './tool-selection.js';

/** The results of the events before the tool. */
interface Beforehand {
  readonly before?: AggregatedHookResult | undefined;
  /** The result of PermissionRequest. Absent if the user need not be asked. */
  readonly permission?: AggregatedHookResult | undefined;
  /** The result of the recheck of BeforeTool. Absent if hooks of PermissionRequest did not rewrite the input. */
  readonly recheck?: AggregatedHookResult | undefined;
}

/** What a reviewed call has whatever its status. */
type Reviewed = Pick<
  ReviewedToolCall,
  keyof HookMessages | 'name' | 'input' | 'toolUseId' | 'mcpContext' | 'before' | 'permission' | 'recheck'
>;

/**
 * Fires BeforeTool, and PermissionRequest if the user must be asked: the first half of `executeToolWithHooks`, for a host that asks or runs
 * its tools elsewhere or later. The user is not asked: `asked` has the question. Pass the result to `runReviewedToolWithHooks`, whatever
 * its `status`. Rejects only for wrong use, with a TypeError.
 */
export async function reviewToolCallWithHooks<Input extends object = ToolInput>(
  client: HookClient,
  call: ToolCallToReview<Input>,
): Promise<ReviewedToolCall<Input>> {
  requireClient('reviewToolCallWithHooks', client, {});
  requireCall('reviewToolCallWithHooks', call, reviewRules);
  // Callers see generic types. Inside this package the input is plain JSON.
  const reviewed: unknown = await reviewToolCall(client, call as ToolCallToReview);
  return reviewed as ReviewedToolCall<Input>;
}

/** Does the same for a call whose fields have been checked. */
export async function reviewToolCall(client: HookClient, call: ToolCallToReview): Promise<ReviewedToolCall> {
  // Hooks receive `approval` even if it is the default. In some formats a missing value means `ask`. Hooks of these formats would rely on
  // a question that the user never gets.
  const { name, approval = 'allow', signal } = call;
  // If hooks or the user see the input, the tool receives a copy of what they see. The caller may change its own object in the meantime.
  const hasBefore = client.has('BeforeTool');
  const isShown = hasBefore || client.has('AfterTool') || approval === 'ask';
  const shown = isShown ? toShownInput(name, call.input) : undefined;
  const input = shown?.input ?? call.input;
  const toolUseId = call.toolUseId ?? (isShown ? globalThis.crypto.randomUUID() : undefined);
  const reviewed = (input: ToolInput, { before, permission, recheck }: Beforehand = {}): Reviewed => ({
    ...collectMessages([before, permission, recheck], signal),
    name,
    input,
    ...omitUndefined({ toolUseId, mcpContext: call.mcpContext, before, permission, recheck }),
  });
  const cancelled = { status: 'failed', cancelled: true } as const;
  const describeCancel = () => describeAbort('The call was cancelled', signal);

  const unasked = refuseBySelection(name, call.toolSelection) ?? refuseByApproval(call) ?? shown?.refusal;
  if (unasked !== undefined) return { ...reviewed(input), status: 'blocked', reason: unasked };
  if (signal?.aborted) return { ...reviewed(input), ...cancelled, reason: describeCancel() };

  const beforeTool = {
    ...toCallFields(call, input, toolUseId),
    approval,
    ...omitUndefined({ recent_tools: hasBefore ? getRecentTools(client) : undefined }),
  };
  const permission = await fireBeforeEvent(client, {
    eventName: 'BeforeTool',
    input: beforeTool,
    ...omitUndefined({ maxRetries: call.maxRetries, signal }),
  });
  const { before } = permission;
  const rewritten = toRewrittenInput(name, before);
  const effective = rewritten?.input ?? input;
  const answered = reviewed(effective, { before });
  if (permission.kind === 'stopped') return { ...answered, ...pickReasons(permission.before.verdict), status: 'stopped' };
  if (permission.kind === 'cancelled') return { ...answered, ...cancelled, reason: describeCancel() };
  if (permission.kind === 'blocked') return { ...answered, ...pickRefusal(permission), status: 'blocked' };

  if (rewritten?.refusal !== undefined) return { ...reviewed(input, { before }), status: 'blocked', reason: rewritten.refusal };
  const problem = await findInputProblem(call.schema, { original: input, effective, isShown }, before, signal);
  if (problem !== undefined) return { ...answered, status: problem.isByHook ? 'blocked' : 'failed', reason: problem.reason };
  let granted: PermissionAnswer = { kind: 'granted', input: effective };
  if (permission.kind === 'ask' || (approval === 'ask' && before?.verdict.kind !== 'allow')) {
    const asking = permission.kind === 'ask' ? permission.before : undefined;
    granted = await requestPermission(client, call, { input: effective, asking, beforeTool });
  }
  const whole = reviewed(granted.input, { before, permission: granted.permission, recheck: granted.recheck });
  if (granted.kind === 'stopped') return { ...whole, ...pickReasons(granted.by.verdict), status: 'stopped' };
  if (granted.kind === 'blocked') return { ...whole, ...pickRefusal(granted), status: 'blocked' };
  if (granted.kind === 'failed') return { ...whole, ...cancelled, reason: granted.reason };
  if (granted.kind === 'asked') return { ...whole, status: 'asked', question: granted.question };
  if (signal?.aborted) return { ...whole, ...cancelled, reason: describeCancel() };
  return { ...whole, status: 'ready' };
}

/** Returns the reason of a refusal and when the call may be tried again. */
function pickRefusal({ reason, retryAfterMs }: Refusal): Refusal {
  return { reason, ...omitUndefined({ retryAfterMs }) };
}

/**
 * Returns why the host's `approval` refuses the call. An unknown value also refuses the call. Otherwise a tool with a misspelt "ask"
 * would run without a question.
 */
function refuseByApproval({ name, approval = 'allow' }: ToolCallToReview): string | undefined {
  if (approval === 'allow' || approval === 'ask') return undefined;
  if (approval === 'deny') return `The host does not allow ${name}.`;
  return `${name} did not run: its "approval" must be "allow", "ask" or "deny", and is ${JSON.stringify(approval)}.`;
}
