import type { AggregatedHookResult, HookFieldsOf } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { describeAbort } from '@tenterhook/runtime/text';
import { type HookClient, requireClient } from '../client/hook-client.js';
import { collectContext, collectMessages, type HookMessages, pickReasons } from '../client/hook-messages.js';
import { refuseUnanswered } from '../client/unanswered.js';
import { fireBeforeEvent } from '../permission/fire-before-event.js';
import { type PermissionAnswer, requestPermission } from '../permission/permission-request.js';
import { type FinishedToolCall, refuseMisspeltFields, type ToolCall } from './tool-call.js';
import { copyInput, findInputProblem, refuseByKey, type ToolInput } from './tool-input.js';
import {
  appendContext,
  createRefusedResult,
  createWithheldResult,
  replaceResult,
  runTool,
  type ToolResult,
  toToolResponse,
} from './tool-result.js';
import { refuseBySelection } from './tool-selection.js';

/** What each end of a call has. */
type Ended = Pick<FinishedToolCall, keyof HookMessages | 'input' | 'result' | 'before' | 'permission' | 'recheck' | 'after'>;

/** The results of the events before the tool. */
interface Beforehand {
  readonly before?: AggregatedHookResult | undefined;
  /** Of PermissionRequest; absent when the user did not have to be asked. */
  readonly permission?: AggregatedHookResult | undefined;
  /** Of the recheck of BeforeTool; absent when hooks of PermissionRequest rewrote nothing. */
  readonly recheck?: AggregatedHookResult | undefined;
}

/**
 * Fires BeforeTool, then PermissionRequest and asks the user where a hook or the host asks, runs the tool, fires AfterTool, and obeys all
 * verdicts (seed 001 §8). An input that PermissionRequest rewrites is shown to the hooks of BeforeTool again. Rejects only for wrong use, with a TypeError. Every tool call goes through this function, whether it comes from a
 * server, a subagent or the agent itself (field failure 24).
 */
export async function executeToolWithHooks<Input extends object = ToolInput, Result extends ToolResult = ToolResult>(
  client: HookClient,
  call: ToolCall<Input, Result>,
): Promise<FinishedToolCall<Input, Result>> {
  // The types of a call are those of its caller; from here on only hooks and its schema look into the input.
  const outcome: unknown = await executeTool(client, call as unknown as ToolCall);
  return outcome as FinishedToolCall<Input, Result>;
}

async function executeTool(client: HookClient, call: ToolCall): Promise<FinishedToolCall> {
  // Hooks receive the default too: the tool then runs, and a hook that read no approval as `ask` would count on a user who is not asked.
  const { name, approval = 'allow', signal, schema } = call;
  const validate = schema === undefined ? {} : { "schema['~standard'].validate": schema?.['~standard']?.validate };
  requireClient('executeToolWithHooks', client, { execute: call?.execute, ...validate });
  // A mistake of the agent, like a missing `execute`. A name of another type is from the model: it is refused where hooks read it.
  if (name === undefined) throw new TypeError('executeToolWithHooks: "name" must be a string, and is missing.');
  refuseMisspeltFields(call);
  // What hooks and users see is what runs, even if the caller changes its object meanwhile. Without readers nothing is copied.
  const isShown = client.has('BeforeTool');
  const input = isShown || approval === 'ask' ? copyInput(call.input) : call.input;
  const unasked = refuseBySelection(name, call.toolSelection) ?? refuseByApproval(call) ?? (isShown ? refuseByKey(name, input) : undefined);
  if (unasked !== undefined) return notRun('blocked', call, input, unasked);
  if (signal?.aborted) return notRun('failed', call, input, describeAbort('The call was cancelled', signal));

  const toolUseId = call.toolUseId ?? (isShown || client.has('AfterTool') ? globalThis.crypto.randomUUID() : undefined);
  const beforeTool = {
    ...toCallFields(call, input, toolUseId),
    approval,
    ...omitUndefined({ recent_tools: isShown ? getRecentTools(client) : undefined }),
  };
  const permission = await fireBeforeEvent(client, {
    eventName: 'BeforeTool',
    input: beforeTool,
    ...omitUndefined({ maxRetries: call.maxRetries, signal }),
  });
  const { before } = permission;
  // A copy, because results are frozen, and a tool may change its arguments.
  const rewritten = structuredClone(before?.finalOutput?.hookSpecificOutput?.['tool_input']) as ToolInput | undefined;
  const effective = rewritten ?? input;
  if (permission.kind === 'stopped') return stoppedBefore(call, effective, permission.before, { before });
  if (permission.kind === 'cancelled')
    return notRun('failed', call, effective, describeAbort('The call was cancelled', signal), { before });
  if (permission.kind === 'blocked') {
    const { reason, retryAfterMs } = permission;
    return { ...notRun('blocked', call, effective, reason, { before }), ...omitUndefined({ retryAfterMs }) };
  }

  if (rewritten !== undefined && !isPlainObject(rewritten)) {
    return notRun('blocked', call, input, `${name} did not run: its rewritten input is not an object.`, { before });
  }
  const badKey = rewritten === undefined ? undefined : refuseByKey(name, rewritten);
  if (badKey !== undefined) return notRun('blocked', call, input, badKey, { before });
  const problem = await findInputProblem(call.schema, { original: input, effective }, before, signal);
  if (problem !== undefined) return notRun(problem.isByHook ? 'blocked' : 'failed', call, effective, problem.reason, { before });
  let granted: PermissionAnswer = { kind: 'granted', input: effective };
  if (permission.kind === 'ask' || (approval === 'ask' && before?.verdict.kind !== 'allow')) {
    const asking = permission.kind === 'ask' ? permission.before : undefined;
    granted = await requestPermission(client, call, { input: effective, asking, beforeTool });
  }
  const beforehand = { before, permission: granted.permission, recheck: granted.recheck };
  if (granted.kind === 'stopped') return stoppedBefore(call, granted.input, granted.by, beforehand);
  if (granted.kind === 'blocked') {
    const { reason, retryAfterMs } = granted;
    return { ...notRun('blocked', call, granted.input, reason, beforehand), ...omitUndefined({ retryAfterMs }) };
  }
  if (granted.kind === 'failed') return notRun('failed', call, granted.input, granted.reason, beforehand);
  if (signal?.aborted) return notRun('failed', call, granted.input, describeAbort('The call was cancelled', signal), beforehand);
  return runAndReport(client, call, { input: granted.input, toolUseId, ...beforehand });
}

async function runAndReport(
  client: HookClient,
  call: ToolCall,
  { input, toolUseId, before, permission, recheck }: Beforehand & { readonly input: ToolInput; readonly toolUseId: string | undefined },
): Promise<FinishedToolCall> {
  // When it begins, so that a hook also learns of tools that run in parallel or inside another one.
  rememberTool(client, call.name);
  const began = performance.now();
  // AfterTool receives the input that the tool received, without the tool's own changes to it.
  const args = client.has('AfterTool') ? copyInput(input) : input;
  const { raw, failure } = await runTool(call.name, (options) => call.execute(args, options), call.signal);
  const after = client.has('AfterTool')
    ? await fireAfterTool(client, call, raw, {
        ...toCallFields(call, input, toolUseId),
        duration_ms: Math.round(performance.now() - began),
      })
    : undefined;

  const replacement = after?.finalOutput?.hookSpecificOutput?.['updatedToolOutput'];
  const feedback = after === undefined ? undefined : findFeedback(after);
  const texts = [...collectContext([before, after]), ...(feedback === undefined ? [] : [feedback])];
  const unchecked = after === undefined || call.signal?.aborted ? undefined : refuseUnanswered(after, client);
  const checked = replacement === undefined ? raw : replaceResult(raw, replacement);
  const ended: Ended = {
    ...collectMessages([before, permission, recheck, after], call.signal),
    input,
    result: appendContext(unchecked === undefined ? checked : createWithheldResult(call.name, unchecked.reason), texts),
    ...omitUndefined({ before, permission, recheck, after }),
  };
  if (after?.verdict.stop) return { ...ended, status: 'stopped', ...pickReasons(after.verdict) };
  if (failure !== undefined) return { ...ended, status: 'failed', reason: failure };
  return { ...ended, status: 'executed', ...omitUndefined({ reason: feedback }) };
}

/**
 * Fires AfterTool. If hooks ran that could not be shown the whole result, that is an error of the event: a redaction that found nothing in the rest has
 * not agreed to the whole.
 */
async function fireAfterTool(
  client: HookClient,
  { name, signal }: ToolCall,
  raw: ToolResult,
  fields: HookFieldsOf<'BeforeTool'> & { readonly duration_ms: number },
): Promise<AggregatedHookResult> {
  const { response, problems } = toToolResponse(raw);
  const after = await client.fire('AfterTool', { ...fields, tool_response: response }, omitUndefined({ signal }));
  if (problems.length === 0 || after.outcomes.every(({ status }) => status === 'skipped')) return after;
  const shown = problems.slice(0, maxProblems).join('; ');
  const message = `The result of ${name} cannot be shown to hooks as a whole: ${shown}. Return texts or plain JSON from the tool.`;
  return { ...after, success: false, errors: [{ code: 'unserialisable', message }, ...after.errors] };
}

/** The first ones show what to change in the tool. */
const maxProblems = 3;

/**
 * The tool has run: a deny undoes nothing, and its reason is feedback (decision 19). For a hook that replaced the result, the new result is the
 * feedback (decision 63).
 */
function findFeedback({ verdict, outcomes }: AggregatedHookResult): string | undefined {
  if (verdict.kind !== 'deny') return undefined;
  const deciders = outcomes.filter((outcome) => verdict.by.includes(outcome.hookId));
  const objecting = deciders.filter(({ output }) => output?.hookSpecificOutput?.['updatedToolOutput'] === undefined);
  if (objecting.length === deciders.length) return verdict.reason || undefined;
  const reasons = objecting.flatMap(({ output }) => output?.reason ?? []);
  return objecting.length === 0 ? undefined : reasons.join('\n') || verdict.reason;
}

/** An unknown approval refuses: a misspelt "ask" must not run the tool unasked. */
function refuseByApproval({ name, approval = 'allow' }: ToolCall): string | undefined {
  if (approval === 'allow' || approval === 'ask') return undefined;
  return approval === 'deny' ? `The host does not allow ${name}.` : `${name} did not run: unknown approval ${JSON.stringify(approval)}.`;
}

function notRun<Status extends 'blocked' | 'failed'>(
  status: Status,
  call: ToolCall,
  input: ToolInput,
  reason: string,
  { before, permission, recheck }: Beforehand = {},
): Ended & { status: Status; reason: string } {
  return {
    ...collectMessages([before, permission, recheck], call.signal),
    status,
    input,
    result: appendContext(createRefusedResult(reason), collectContext([before])),
    reason,
    ...omitUndefined({ before, permission, recheck }),
  };
}

function stoppedBefore(call: ToolCall, input: ToolInput, { verdict }: AggregatedHookResult, beforehand: Beforehand): FinishedToolCall {
  const { reason, stopReason } = verdict;
  const text = `A hook stopped the agent before ${call.name} ran. ${stopReason ?? reason ?? ''}`.trim();
  const { reason: _reason, ...ended } = notRun('blocked', call, input, text, beforehand);
  return { ...ended, ...pickReasons(verdict), status: 'stopped' };
}

function toCallFields({ name, mcpContext }: ToolCall, input: ToolInput, toolUseId: string | undefined): HookFieldsOf<'BeforeTool'> {
  return { tool_name: name, tool_input: input, ...omitUndefined({ mcp_context: mcpContext, tool_use_id: toolUseId }) };
}

/** Enough to show what led to a call; a longer list would only make every event larger. */
const maxRecentTools = 10;

/** Keyed by client and not stored in it: a host may implement the client interface without such a list. */
const recentTools = new WeakMap<HookClient, string[]>();

/** Names of the tools that last began to run through this client, the newest last. */
function getRecentTools(client: HookClient): string[] {
  return [...(recentTools.get(client) ?? [])];
}

function rememberTool(client: HookClient, name: unknown): void {
  // The name comes from the model. An invalid one would make every later event invalid.
  if (typeof name !== 'string') return;
  const tools = recentTools.get(client);
  if (tools === undefined) recentTools.set(client, [name]);
  else if (tools.push(name) > maxRecentTools) tools.shift();
}
