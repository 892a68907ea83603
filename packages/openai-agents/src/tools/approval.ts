import { notifyWithHooks, reviewToolCallWithHooks } from '@tenterhook/agent';
import { tellMessages, toolEvents } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { callsOf } from '../calls.js';
import { clientOf, type Hooked } from '../options.js';
import { type GatedCall, toReview } from './gated-call.js';

/**
 * Decides whether a call must be approved in the run's `interruptions`: if the tool needs it and no hook allows the call, or if a hook asks
 * and the option `approvals` is `framework`. What the hooks decided is kept for the tool, so that they are asked once.
 */
export async function needsApproval(hooked: Hooked, call: GatedCall, ownDecision: () => Promise<boolean>): Promise<boolean> {
  const own = await ownDecision();
  const client = clientOf(hooked);
  const { callId } = call;
  if (callId === undefined || !(client.has('BeforeTool') || client.has('PermissionRequest'))) return own;
  const { options } = hooked;
  // From now on, a missing decision means that an approval of all calls of the tool, which SDK calls sticky, let the call pass.
  callsOf(client).note(callId, {});
  if (!own && (options.approvals !== 'framework' || options.ask !== undefined)) return false;
  const review = toReview(client, hooked, call);
  const reviewed = await reviewToolCallWithHooks(client, { ...review, approval: own ? 'ask' : 'allow' });
  callsOf(client).note(callId, { reviewed });
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

/** Whether the user has approved the call in a run that is not known here, so that the hooks are asked again. */
export function isApprovedElsewhere(hooked: Hooked, callId: string | undefined): boolean {
  return callId !== undefined && callsOf(clientOf(hooked)).get(callId) === undefined;
}
