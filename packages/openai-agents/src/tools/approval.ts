import { notifyWithHooks, reviewToolCallWithHooks } from '@tenterhook/agent';
import { tellMessages, toolEvents } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { knownCall } from '../known-calls.js';
import { clientOf, type Hooked } from '../options.js';
import { type GatedCall, toReview } from './gated-call.js';
import { keepReview } from './reviews.js';

/**
 * Decides whether a call must be approved in the run's `interruptions`: if the tool needs it and no hook allows the call, or if a hook asks
 * and the option `approvals` is `framework`. What the hooks decided is kept for the tool, so that they are asked once.
 */
export async function needsApproval(hooked: Hooked, call: GatedCall, ownDecision: () => Promise<boolean>): Promise<boolean> {
  const own = await ownDecision();
  const client = clientOf(hooked);
  const { callId } = call;
  if (callId === undefined) return own;
  // A call of a tool that is not selected is refused, so the user is not asked about it.
  const isSelected = knownCall(client, call)?.toolSelection === undefined;
  if (isSelected && !client.has('BeforeTool') && !client.has('PermissionRequest')) return own;
  const { options } = hooked;
  if (!own && (options.approvals !== 'framework' || options.ask !== undefined)) return false;
  const review = toReview(client, hooked, call);
  const reviewed = await reviewToolCallWithHooks(client, { ...review, approval: own ? 'ask' : 'allow' });
  keepReview(client, call, reviewed);
  if (reviewed.status !== 'asked') return false;
  tellMessages(options.onMessage, reviewed, toolEvents(reviewed));
  const notification = {
    type: 'ToolPermission',
    message: reviewed.question.reason ?? `May ${call.name} run?`,
    details: { tool_name: call.name, tool_input: reviewed.input, tool_use_id: callId },
  };
  await notifyWithHooks(client, notification, omitUndefined({ signal: review.signal }));
  return true;
}
