import { fieldsOf, listOf } from '@tenterhook/agent/internal';
import type { AnyAgent, RunContext } from '../agents-sdk.js';

/** An id that no call has. The SDK says that such a call is approved if the user has approved all calls of the tool. */
const noCall = 'tenterhook: any call';

/** A call for which an approval is looked for. */
interface ApprovedCall {
  /** The name under which the SDK keeps approvals of the tool. */
  readonly toolName: string;
  readonly callId: string | undefined;
  /** The agent that made the call. */
  readonly agent: AnyAgent;
  /** Returns the call of a shell or an editor as the model wrote it, with this id. Undefined for a function. */
  readonly toItem?: ((callId: string) => object) | undefined;
}

/** What the user has approved: one call, or all calls of the tool (`alwaysApprove`). */
export interface Approval {
  readonly of: 'call' | 'tool';
  /** Notes that the call has run. */
  use(): void;
}

/** The calls that have run with an approval of their own, by the context of the run. */
const usedByRun = new WeakMap<RunContext, ApprovedCall[]>();

function usedIn(runContext: RunContext): ApprovedCall[] {
  const used = usedByRun.get(runContext) ?? [];
  usedByRun.set(runContext, used);
  return used;
}

/**
 * Returns what the user has approved, as the context of the run says. The SDK does not ask `needsApproval` about such a call. The SDK keeps an
 * approval for as long as the context. So one of a single call counts until the call has run: a later call with its id is another one, which
 * the user has not seen. Agents with one context may have calls with equal ids too, and an approval is one of a single agent.
 */
export function findApproval(runContext: RunContext | undefined, call: ApprovedCall): Approval | undefined {
  if (runContext === undefined) return undefined;
  const { toolName, callId, agent } = call;
  const isApproved = (id: string) => isApprovedBy(runContext, { ...call, callId: id });
  if (isApproved(noCall)) return { of: 'tool', use() {} };
  const isUsed = usedIn(runContext).some((each) => each.toolName === toolName && each.callId === callId && each.agent === agent);
  if (callId === undefined || isUsed || !isApproved(callId)) return undefined;
  return { of: 'call', use: () => void usedIn(runContext).push(call) };
}

/** The parts of a context that the SDK leaves out of its types. The tests of two agents with one context fail if it has them no more. */
interface FullContext {
  isToolApproved(call: { readonly toolName: string; readonly callId: string; readonly agent: AnyAgent }): boolean | undefined;
  _resolveToolInvocationApproval?(agent: AnyAgent, toolName: string, item: object): boolean | undefined;
}

function isApprovedBy(runContext: RunContext, { toolName, callId, agent, toItem }: ApprovedCall & { readonly callId: string }): boolean {
  const context = runContext as unknown as FullContext;
  if (toItem === undefined) return context.isToolApproved({ toolName, callId, agent }) === true;
  try {
    // Without the agent, `isToolApproved` finds the approvals of all agents for a shell and an editor.
    return context._resolveToolInvocationApproval?.(agent, toolName, toItem(callId)) === true;
  } catch {
    // The id is one of a call with other arguments.
    return false;
  }
}

/** Returns the ids of the calls of a tool that the user has approved, of all agents. None if the user has approved all calls. */
export function approvedIds(runContext: RunContext | undefined, toolName: string): readonly string[] {
  // Programs that call a tool themselves may pass another context.
  const approvals = fieldsOf(fieldsOf(runContext?.toJSON?.())['approvals']);
  const { approved } = fieldsOf(Object.hasOwn(approvals, toolName) ? approvals[toolName] : undefined);
  return listOf(approved).filter((id) => typeof id === 'string');
}
