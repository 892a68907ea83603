import type { AggregatedHookResult, McpContext } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { contextOf, type HookMessages, messagesOf } from '../client/hook-messages.js';
import { copyOf } from '../copy-of.js';
import type { Ask } from '../permission/ask-user.js';
import { seekPermission } from '../permission/fire-before-event.js';
import { type PermissionAnswer, requestPermission } from '../permission/permission-request.js';
import { reasonsOf } from '../reasons-of.js';
import { recentTools, rememberTool } from '../recent-tools.js';
import { requireCall } from '../require-call.js';
import { runTool } from '../run-tool.js';
import { findInputProblem, type ToolSchema } from './tool-input.js';
import { refusedResult, replacedResult, type ToolResult, toolResponseOf, withContext } from './tool-result.js';
import { refusalBySelection, type ToolSelection } from './tool-selection.js';

export type ToolInput = Record<string, unknown>;

export interface ToolCall {
  readonly name: string;
  readonly input: ToolInput;
  /** Runs the tool with the input as hooks rewrote it. What it throws becomes a result with `status: 'failed'`. */
  readonly execute: (input: ToolInput, options: { readonly signal: AbortSignal }) => ToolResult | Promise<ToolResult>;
  /** The model's id of the call; hooks are told, before and after alike. @default one is made */
  readonly toolUseId?: string | undefined;
  /** The MCP server that the tool comes from. */
  readonly mcpContext?: McpContext | undefined;
  /** What the input must fit; checked after hooks had their say. @default the input is not checked */
  readonly schema?: ToolSchema | undefined;
  /** @default nobody can be asked, and ask is a deny */
  readonly ask?: Ask | undefined;
  /** What the host would do by itself; hooks are told. A hook's allow loosens `ask`, never `deny`. @default 'allow' */
  readonly approval?: 'allow' | 'ask' | 'deny' | undefined;
  /** What `callModelWithHooks` gave for the request that the call answers. @default every tool */
  readonly toolSelection?: ToolSelection | undefined;
  /** How often a tool that a hook put off is put before the hooks again. An integer from 0. @default 3 */
  readonly maxRetries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What hooks said before the tool. */
interface Beforehand {
  readonly before?: AggregatedHookResult | undefined;
  /** Of PermissionRequest; absent where the user was not to be asked. */
  readonly permission?: AggregatedHookResult | undefined;
}

interface Ended extends HookMessages {
  /** What the tool got, or would have got. */
  readonly input: ToolInput;
  /** For the model in any case: a call that did not run has a result that says why. */
  readonly result: ToolResult;
  readonly before?: AggregatedHookResult;
  /** Of PermissionRequest, which is fired where the user is to be asked. */
  readonly permission?: AggregatedHookResult;
  readonly after?: AggregatedHookResult;
}

export type FinishedToolCall =
  /** It ran. `reason` is the feedback of a hook that objected afterwards; it stands in the result, too. */
  | (Ended & { readonly status: 'executed'; readonly reason?: string })
  /** It did not run: a hook, the user, the host or the tool selection said no. */
  | (Ended & { readonly status: 'blocked'; readonly reason: string; readonly retryAfterMs?: number })
  /** The agent loop ends. Whether the tool ran is told by `after`, or by a look at `before.verdict.stop`. */
  | (Ended & { readonly status: 'stopped'; readonly reason?: string; readonly stopReason?: string })
  /** It threw, its input did not fit its schema through no hook's doing, or the call was cancelled before it ran. */
  | (Ended & { readonly status: 'failed'; readonly reason: string });

/**
 * BeforeTool, PermissionRequest and the user where somebody asks, the tool, AfterTool: and everything that their hooks said is obeyed (seed 001 §8). Rejects
 * for wrong use only, with a TypeError. There is no other gate for tool calls, whether they come from a server, a subagent or the agent
 * itself (field failure 24).
 */
export async function executeToolWithHooks(client: HookClient, call: ToolCall): Promise<FinishedToolCall> {
  // Hooks are told where the host is silent, too: the tool runs then, and one that took silence for `ask` would count on a user who is not asked.
  const { name, approval = 'allow', signal, schema } = call;
  const validate = schema === undefined ? {} : { "schema['~standard'].validate": schema?.['~standard']?.validate };
  requireCall('executeToolWithHooks', client, { execute: call?.execute, ...validate });
  // What hooks and users are shown is what runs, whatever becomes of the caller's object meanwhile. Where nobody looks, nothing is copied.
  const isShown = client.has('BeforeTool');
  const input = isShown || approval === 'ask' ? copyOf(call.input) : call.input;
  const unasked = refusalBySelection(name, call.toolSelection) ?? refusalByHost(call);
  if (unasked !== undefined) return notRun('blocked', call, input, unasked);
  if (signal?.aborted) return notRun('failed', call, input, 'The call was cancelled.');

  const toolUseId = call.toolUseId ?? (isShown || client.has('AfterTool') ? globalThis.crypto.randomUUID() : undefined);
  const permission = await seekPermission(client, {
    eventName: 'BeforeTool',
    input: {
      ...callFields(call, input, toolUseId),
      approval,
      ...omitUndefined({ recent_tools: isShown ? recentTools(client) : undefined }),
    },
    ...omitUndefined({ maxRetries: call.maxRetries, signal }),
  });
  const { before } = permission;
  // A copy, because results are frozen: a tool may change its arguments whether hooks rewrote them or not.
  const rewritten = structuredClone(before?.finalOutput?.hookSpecificOutput?.['tool_input']) as ToolInput | undefined;
  const effective = rewritten ?? input;
  if (permission.kind === 'stopped') return stoppedBefore(call, effective, permission.before, { before });
  if (permission.kind === 'cancelled') return notRun('failed', call, effective, 'The call was cancelled.', { before });
  if (permission.kind === 'blocked') {
    const { reason, retryAfterMs } = permission;
    return { ...notRun('blocked', call, effective, reason, { before }), ...omitUndefined({ retryAfterMs }) };
  }

  if (rewritten !== undefined && !isPlainObject(rewritten)) {
    return notRun('blocked', call, input, `${name} did not run: its rewritten input is no object.`, { before });
  }
  const problem = await findInputProblem(call.schema, { original: input, effective }, before, signal);
  if (problem !== undefined) return notRun(problem.isByHook ? 'blocked' : 'failed', call, effective, problem.reason, { before });
  let granted: PermissionAnswer = { kind: 'granted', input: effective };
  if (permission.kind === 'ask' || (approval === 'ask' && before?.verdict.kind !== 'allow')) {
    granted = await requestPermission(client, call, effective, permission.kind === 'ask' ? permission.before.verdict : undefined);
  }
  const beforehand = { before, permission: granted.permission };
  if (granted.kind === 'stopped') return stoppedBefore(call, granted.input, granted.permission, beforehand);
  if (granted.kind === 'blocked') {
    const { reason, retryAfterMs } = granted;
    return { ...notRun('blocked', call, granted.input, reason, beforehand), ...omitUndefined({ retryAfterMs }) };
  }
  if (granted.kind === 'failed') return notRun('failed', call, granted.input, granted.reason, beforehand);
  if (signal?.aborted) return notRun('failed', call, granted.input, 'The call was cancelled.', beforehand);
  return runAndReport(client, call, { input: granted.input, toolUseId, ...beforehand });
}

async function runAndReport(
  client: HookClient,
  call: ToolCall,
  { input, toolUseId, before, permission }: Beforehand & { readonly input: ToolInput; readonly toolUseId: string | undefined },
): Promise<FinishedToolCall> {
  // When it begins and not when it ends: of tools that run side by side, or inside another, a hook is told too.
  rememberTool(client, call.name);
  const began = performance.now();
  // AfterTool is told what the tool got, and not what it made of it.
  const args = client.has('AfterTool') ? copyOf(input) : input;
  const { raw, failure } = await runTool(call.name, (options) => call.execute(args, options), call.signal);
  const after = client.has('AfterTool')
    ? await client.fire(
        'AfterTool',
        {
          ...callFields(call, input, toolUseId),
          tool_response: toolResponseOf(raw),
          duration_ms: Math.round(performance.now() - began),
        },
        omitUndefined({ signal: call.signal }),
      )
    : undefined;

  const replacement = after?.finalOutput?.hookSpecificOutput?.['updatedToolOutput'];
  const feedback = after === undefined ? undefined : feedbackOf(after);
  const texts = [...contextOf([before, after]), ...(feedback === undefined ? [] : [feedback])];
  const ended: Ended = {
    ...messagesOf([before, permission, after], call.signal),
    input,
    result: withContext(replacement === undefined ? raw : replacedResult(raw, replacement), texts),
    ...omitUndefined({ before, permission, after }),
  };
  if (after?.verdict.stop) return { ...ended, status: 'stopped', ...reasonsOf(after.verdict) };
  if (failure !== undefined) return { ...ended, status: 'failed', reason: failure };
  return { ...ended, status: 'executed', ...omitUndefined({ reason: feedback }) };
}

/** The tool has run: a deny undoes nothing, its reason is feedback (decision 19). One who took the result away has said it there (decision 63). */
function feedbackOf({ verdict, outcomes }: AggregatedHookResult): string | undefined {
  if (verdict.kind !== 'deny') return undefined;
  const deciders = outcomes.filter((outcome) => verdict.by.includes(outcome.hookId));
  const objecting = deciders.filter(({ output }) => output?.hookSpecificOutput?.['updatedToolOutput'] === undefined);
  if (objecting.length === deciders.length) return verdict.reason || undefined;
  const reasons = objecting.flatMap(({ output }) => output?.reason ?? []);
  return objecting.length === 0 ? undefined : reasons.join('\n') || verdict.reason;
}

/** A word that is none of the three is a no: a misspelt "ask" must not run the tool unasked. */
function refusalByHost({ name, approval = 'allow' }: ToolCall): string | undefined {
  if (approval === 'allow' || approval === 'ask') return undefined;
  return approval === 'deny'
    ? `The host does not allow ${name}.`
    : `${name} did not run: there is no approval ${JSON.stringify(approval)}.`;
}

function notRun<Status extends 'blocked' | 'failed'>(
  status: Status,
  call: ToolCall,
  input: ToolInput,
  reason: string,
  { before, permission }: Beforehand = {},
): Ended & { status: Status; reason: string } {
  return {
    ...messagesOf([before, permission], call.signal),
    status,
    input,
    result: withContext(refusedResult(reason), contextOf([before])),
    reason,
    ...omitUndefined({ before, permission }),
  };
}

function stoppedBefore(call: ToolCall, input: ToolInput, { verdict }: AggregatedHookResult, beforehand: Beforehand): FinishedToolCall {
  const { reason, stopReason } = verdict;
  const text = `The agent was stopped by a hook before ${call.name} ran. ${stopReason ?? reason ?? ''}`.trim();
  const { reason: _told, ...ended } = notRun('blocked', call, input, text, beforehand);
  return { ...ended, ...reasonsOf(verdict), status: 'stopped' };
}

function callFields({ name, mcpContext }: ToolCall, input: ToolInput, toolUseId: string | undefined): Record<string, unknown> {
  return { tool_name: name, tool_input: input, ...omitUndefined({ mcp_context: mcpContext, tool_use_id: toolUseId }) };
}
