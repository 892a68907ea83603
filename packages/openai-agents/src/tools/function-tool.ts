import { fieldsOf, HookBlockedError, withFields } from '@tenterhook/agent/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { type FunctionTool, getCurrentSpan, invokeFunctionTool, type RunContext, type ToolCallDetails } from '../agents-sdk.js';
import type { OwnedCall } from '../known-calls.js';
import { clientOf } from '../options.js';
import { needsApproval } from './approval.js';
import { findOtherServer, keepServer } from './approved-servers.js';
import { type Approval, findApproval } from './find-approval.js';
import { finishCall, type GatedCall, type GatedOutcome, isIdleCall, runGatedCall, throwFailure } from './gated-call.js';
import { rewrittenInputSchema } from './json-schema.js';
import { mcpContextOf, type ToolHost } from './tool-host.js';
import { withTexts } from './tool-output.js';

/** One call of a function tool. */
interface Invocation {
  readonly runContext: RunContext;
  /** The arguments as the model wrote them. */
  readonly input: string;
  readonly details: ToolCallDetails | undefined;
}

/** Returns the tool that asks the hooks. `fields` are those by which a request to the model shows its run. */
export async function hookFunctionTool(host: ToolHost, tool: FunctionTool, fields: object): Promise<FunctionTool> {
  // A wrapped `needsApproval` is a conditional policy for the SDK. With such a policy the user must approve a call whose arguments are not a
  // JSON object, so a tool that never asks keeps its own.
  const asks = host.hooked.options.approvals === 'framework' || (await mayNeedApproval(tool));
  return withFields(tool, {
    ...fields,
    invoke: (runContext: RunContext, input: string, details?: ToolCallDetails) =>
      invokeWithHooks(host, tool, asks, { runContext, input, details }),
    ...(asks
      ? {
          needsApproval: async (runContext: RunContext, input: unknown, callId?: string) => {
            const call = toCall(host, tool, input, { key: runContext, callId });
            const isAsked = await needsApproval(host.hooked, call, () => tool.needsApproval(runContext, input as never, callId));
            const server = host.servers.get(tool);
            if (isAsked && server !== undefined && callId !== undefined) keepServer(runContext, host.approver, callId, server);
            return isAsked;
          },
        }
      : {}),
    // The time limit is enforced around the tool alone, so that it does not include hooks and the user.
    timeoutMs: undefined,
  });
}

/** Whether the tool has a policy, or always asks. The SDK's own functions of tools that never ask take no argument and return false. */
async function mayNeedApproval(tool: FunctionTool): Promise<boolean> {
  if (tool.needsApproval.length > 0) return true;
  try {
    return await (tool.needsApproval as () => Promise<boolean>)();
  } catch {
    return true;
  }
}

function invokeWithHooks(host: ToolHost, tool: FunctionTool, asks: boolean, invocation: Invocation): Promise<unknown> {
  const callId = invocation.details?.toolCall?.callId;
  const owned = { key: invocation.runContext, callId };
  const isApproved = () => approvalOf(host, tool, invocation)?.of === 'call';
  const problem = findOtherServer(invocation.runContext, callId, host.servers.get(tool), isApproved);
  if (problem !== undefined) return Promise.resolve(refuse(tool, invocation, `${tool.name} did not run: ${problem}`));
  if (isIdleCall(clientOf(host.hooked), owned)) return invokeTool(tool, invocation);
  return invokeGated(host, tool, asks, invocation, owned);
}

async function invokeGated(host: ToolHost, tool: FunctionTool, asks: boolean, invocation: Invocation, owned: OwnedCall) {
  const { hooked } = host;
  const client = clientOf(hooked);
  const { runContext, input, details } = invocation;
  const args = readArguments(input);
  // Hooks cannot read it, so the tool must not run with it. The tools of the SDK refuse it too.
  if (args === undefined) return refuse(tool, invocation, `${tool.name} did not run: its input is not a JSON object.`);
  const signal = details?.signal;
  const call = { ...toCall(host, tool, args, owned), ...(signal === undefined ? {} : { signal }) };
  let isRewritten = false;
  const outcome = await runGatedCall(client, hooked, call, asks ? approvalOf(host, tool, invocation) : undefined, async (effective) => {
    const text = JSON.stringify(effective);
    isRewritten = text !== JSON.stringify(args);
    return { value: await invokeTool(tool, { runContext, input: isRewritten ? text : input, details }) };
  });
  return settle(host, tool, invocation, { call: owned, outcome });
}

/** Returns what the SDK receives, and keeps what the next model call needs. */
function settle(
  host: ToolHost,
  tool: FunctionTool,
  invocation: Invocation,
  { call, outcome }: { readonly call: OwnedCall; readonly outcome: GatedOutcome },
): unknown {
  const { finished, raw, texts } = outcome;
  if (finished.replacement !== undefined) hideTracedError(tool);
  try {
    throwFailure(outcome, invocation.details?.signal);
    if (raw === undefined) {
      finishCall(host, call, outcome);
      return refuse(
        tool,
        invocation,
        withTexts(host, tool, { value: finished.result.llmContent, texts: texts.slice(finished.additions?.length) }).output,
      );
    }
    const value = finished.replacement === undefined ? raw.value : (finished.replacement.value ?? '');
    const { output, additions } = withTexts(host, tool, { value, texts, call });
    finishCall(host, call, outcome, additions);
    return output;
  } catch (error) {
    finishCall(host, call, outcome);
    throw error;
  }
}

/** Removes the text of a tool's error from its span. The SDK writes it there before the hooks can replace it. */
function hideTracedError({ name }: FunctionTool): void {
  const span = getCurrentSpan();
  if (span?.error == null) return;
  span.setError({ message: span.error.message, data: { tool_name: name, error: 'A hook replaced the result of the tool.' } });
}

/** Returns a refusal in the form of the SDK. A tool with an output schema has none but its error function. */
function refuse(tool: FunctionTool, { runContext, details }: Invocation, text: unknown): unknown {
  if (tool.outputSchema === undefined) return text;
  const error = new HookBlockedError(String(text), { toolName: tool.name });
  if (typeof tool.errorFunction !== 'function') throw error;
  return tool.errorFunction(runContext, error, details as never);
}

function invokeTool(tool: FunctionTool, { runContext, input, details }: Invocation): Promise<unknown> {
  return tool.timeoutMs === undefined
    ? tool.invoke(runContext, input, details)
    : invokeFunctionTool({ tool, runContext, input, ...(details === undefined ? {} : { details }) });
}

function toCall(host: ToolHost, tool: FunctionTool, input: unknown, owned: OwnedCall): GatedCall {
  const args = isPlainObject(input) ? input : {};
  return {
    name: tool.name,
    input: args,
    ...owned,
    mcpContext: mcpContextOf(host, tool),
    schema: rewrittenInputSchema(tool.parameters, args),
  };
}

/** Returns what the user has approved. */
function approvalOf({ approver }: ToolHost, tool: FunctionTool, { runContext, details }: Invocation): Approval | undefined {
  return findApproval(runContext, { toolName: stateName(tool, details), callId: details?.toolCall?.callId, agent: approver });
}

/**
 * Returns the name under which the SDK keeps approvals of a tool: with its namespace, or for a tool that is loaded later, or the name alone.
 * The name alone is that of another tool if there is a longer one. If the SDK used another form, no approval would be found, and the call
 * would be refused.
 */
function stateName({ name, deferLoading }: FunctionTool, details: ToolCallDetails | undefined): string {
  const { namespace } = fieldsOf(details?.toolCall);
  // The SDK writes the name as the namespace if the model calls a tool that is loaded later.
  if (typeof namespace === 'string' && namespace !== '' && namespace !== name) return JSON.stringify(['namespaced', namespace, name]);
  return deferLoading === true ? JSON.stringify(['deferred_top_level', name]) : name;
}

/** Reads the arguments of a call. A call without arguments may have an empty text. */
function readArguments(input: string): Record<string, unknown> | undefined {
  if (input === '') return {};
  try {
    const parsed: unknown = JSON.parse(input);
    return isPlainObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
