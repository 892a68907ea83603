import type { AggregatedHookResult, HookFieldsOf } from '@tenterhook/protocol';
import { isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import { describeAbort } from '@tenterhook/runtime/text';
import { type HookClient, requireClient } from '../client/hook-client.js';
import { collectContext, collectMessages, type HookMessages, pickReasons } from '../client/hook-messages.js';
import { hasRun, refuseUnanswered } from '../client/unanswered.js';
import { withLateMessages } from '../late/late-answers.js';
import { fireBeforeEvent } from '../permission/fire-before-event.js';
import { type PermissionAnswer, requestPermission } from '../permission/permission-request.js';
import { requireCall, toolRules } from '../require-call.js';
import { recordTool } from './record-tool.js';
import type { FinishedToolCall, ToolCall } from './tool-call.js';
import { copyInput, findInputProblem, type ToolInput, toRewrittenInput, toShownInput } from './tool-input.js';
import {
  appendContext,
  createRefusedResult,
  createWithheldResult,
  reasonIn,
  replaceResult,
  runTool,
  showResult,
  type ToolResult,
} from './tool-result.js';
import { refuseBySelection } from './tool-selection.js';

/** The fields that a finished call has, whatever its status. */
type Ended = Pick<FinishedToolCall, keyof HookMessages | 'input' | 'result' | 'before' | 'permission' | 'recheck' | 'after'>;

/** The results of the events before the tool. */
interface Beforehand {
  readonly before?: AggregatedHookResult | undefined;
  /** The result of PermissionRequest. Absent if the user did not have to be asked. */
  readonly permission?: AggregatedHookResult | undefined;
  /** The result of the recheck of BeforeTool. Absent if hooks of PermissionRequest did not rewrite the input. */
  readonly recheck?: AggregatedHookResult | undefined;
}

/**
 * Fires BeforeTool, runs the tool, fires AfterTool, and obeys all verdicts (seed 001 §8). If a hook or the host asks, PermissionRequest is
 * fired and the user is asked before the tool runs. If hooks of PermissionRequest rewrite the input, the hooks of BeforeTool are asked
 * again. Use this function for every tool call, including MCP tools and subagents (field failure 24). Rejects only for wrong use, with a
 * TypeError.
 */
export async function executeToolWithHooks<Input extends object = ToolInput, Result extends ToolResult = ToolResult>(
  client: HookClient,
  call: ToolCall<Input, Result>,
): Promise<FinishedToolCall<Input, Result>> {
  // Callers see generic types. Inside this package the input is plain JSON.
  const outcome: unknown = await recordTool(client, call, () => executeTool(client, call as unknown as ToolCall));
  return outcome as FinishedToolCall<Input, Result>;
}

async function executeTool(client: HookClient, call: ToolCall): Promise<FinishedToolCall> {
  requireClient('executeToolWithHooks', client, {});
  requireCall('executeToolWithHooks', call, toolRules);
  // Hooks receive `approval` even if it is the default. In some formats a missing value means `ask`. Hooks of these formats would rely on
  // a question that the user never gets.
  const { name, approval = 'allow', signal } = call;
  // If hooks or the user see the input, the tool receives a copy of what they see. The caller may change its own object in the meantime.
  const hasBefore = client.has('BeforeTool');
  const isShown = hasBefore || client.has('AfterTool') || approval === 'ask';
  const shown = isShown ? toShownInput(name, call.input) : undefined;
  const input = shown?.input ?? call.input;
  const unasked = refuseBySelection(name, call.toolSelection) ?? refuseByApproval(call) ?? shown?.refusal;
  if (unasked !== undefined) return notRun('blocked', call, input, unasked);
  if (signal?.aborted) return notRun('failed', call, input, describeAbort('The call was cancelled', signal));

  const toolUseId = call.toolUseId ?? (isShown ? globalThis.crypto.randomUUID() : undefined);
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
  if (permission.kind === 'stopped') return stoppedBefore(call, effective, permission.before, { before });
  if (permission.kind === 'cancelled')
    return notRun('failed', call, effective, describeAbort('The call was cancelled', signal), { before });
  if (permission.kind === 'blocked') {
    const { reason, retryAfterMs } = permission;
    return { ...notRun('blocked', call, effective, reason, { before }), ...omitUndefined({ retryAfterMs }) };
  }

  if (rewritten?.refusal !== undefined) return notRun('blocked', call, input, rewritten.refusal, { before });
  const problem = await findInputProblem(call.schema, { original: input, effective, isShown }, before, signal);
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
  return runAndReport(client, call, { input: granted.input, isShown, toolUseId, ...beforehand });
}

async function runAndReport(
  client: HookClient,
  call: ToolCall,
  {
    input,
    isShown,
    toolUseId,
    before,
    permission,
    recheck,
  }: Beforehand & {
    readonly input: ToolInput;
    readonly isShown: boolean;
    readonly toolUseId: string | undefined;
  },
): Promise<FinishedToolCall> {
  // The name is recorded when the tool begins, so that `recent_tools` includes tools that run at the same time.
  rememberTool(client, call.name);
  const began = performance.now();
  // The tool receives its own copy and may change it. AfterTool receives the input without these changes.
  const args = isShown ? copyInput(input) : input;
  const { raw, failure } = await runTool(call.name, (options) => call.execute(args, options), call.signal);
  const reviewed = client.has('AfterTool')
    ? await fireAfterTool(client, call, raw, {
        ...toCallFields(call, input, toolUseId),
        duration_ms: Math.round(performance.now() - began),
      })
    : undefined;

  const after = reviewed?.after;
  const checked = reviewed?.result ?? raw;
  const feedback = after === undefined ? undefined : findFeedback(after);
  // The answers of async hooks come with the result of the next tool, so that the model need not wait for the end of a long turn.
  const late = client.late?.take();
  const texts = [...collectContext([before, after]), ...(feedback === undefined ? [] : [feedback]), ...(late?.context ?? [])];
  const ended: Ended = {
    ...withLateMessages(collectMessages([before, permission, recheck, after], call.signal), late),
    input,
    result: appendContext(checked, texts),
    ...omitUndefined({ before, permission, recheck, after }),
  };
  if (after?.verdict.stop) return { ...ended, status: 'stopped', ...pickReasons(after.verdict) };
  if (failure !== undefined) {
    return { ...ended, status: 'failed', reason: isSameJson(checked, raw) ? failure : reasonIn(call.name, checked) };
  }
  return { ...ended, status: 'executed', ...omitUndefined({ reason: feedback }) };
}

/** The result of AfterTool, and the result of the tool as the model receives it. */
interface Reviewed {
  readonly after: AggregatedHookResult;
  readonly result: ToolResult;
}

/**
 * Fires AfterTool. If a hook ran, the model receives the copy that hooks saw or wrote. The tool's own object is not used, because hooks
 * have not checked it: it may have changed in the meantime, or contain parts that cannot be written as text. If parts cannot be shown to
 * hooks, the result is withheld, unless a hook replaces it.
 */
async function fireAfterTool(
  client: HookClient,
  { name, signal }: ToolCall,
  raw: ToolResult,
  fields: HookFieldsOf<'BeforeTool'> & { readonly duration_ms: number },
): Promise<Reviewed> {
  const { response, unshown, details } = showResult(raw);
  const after = await client.fire('AfterTool', { ...fields, tool_response: response }, omitUndefined({ signal }));
  const unasked = signal?.aborted ? undefined : refuseUnanswered(after, client);
  if (unasked !== undefined) {
    const why = `some hooks could not check it. ${unasked.reason}`;
    return { after, result: createWithheldResult(name, why, raw) };
  }
  const replacement = after.finalOutput?.hookSpecificOutput?.['updatedToolOutput'];
  if (!hasRun(after)) {
    return { after, result: replacement === undefined ? raw : replaceResult(raw, replacement) };
  }
  const shown: ToolResult = { ...raw, ...response };
  const result = replacement === undefined ? shown : replaceResult(shown, replacement);
  if (unshown === undefined) return { after, result };
  const remedy = 'Return texts or plain JSON from the tool.';
  const message = `The result of ${name} has parts that hooks cannot read. ${details} ${remedy}`;
  const failed: AggregatedHookResult = { ...after, success: false, errors: [{ code: 'unserialisable', message }, ...after.errors] };
  const withheld = () => createWithheldResult(name, `hooks cannot be shown all of it: ${unshown}. ${remedy}`, raw);
  return { after: failed, result: replacement === undefined ? withheld() : result };
}

/**
 * Returns the feedback for the model. The tool has already run, so the reason of a deny becomes feedback (decision 19). If the hook
 * replaced the result, the new result is the feedback (decision 63).
 */
function findFeedback({ verdict, outcomes }: AggregatedHookResult): string | undefined {
  if (verdict.kind !== 'deny') return undefined;
  // A hook that denied and was then run again has two outcomes. The second outcome is not always a deny.
  const deciders = outcomes.filter(
    ({ hookId, status, failedClosed }) => verdict.by.includes(hookId) && (status === 'blocked' || failedClosed === true),
  );
  const objecting = deciders.filter(({ output }) => output?.hookSpecificOutput?.['updatedToolOutput'] === undefined);
  if (objecting.length === deciders.length) return verdict.reason || undefined;
  const reasons = objecting.flatMap(({ output }) => output?.reason ?? []);
  return objecting.length === 0 ? undefined : reasons.join('\n') || verdict.reason;
}

/**
 * Returns why the host's `approval` refuses the call. An unknown value also refuses the call. Otherwise a tool with a misspelt "ask"
 * would run without a question.
 */
function refuseByApproval({ name, approval = 'allow' }: ToolCall): string | undefined {
  if (approval === 'allow' || approval === 'ask') return undefined;
  if (approval === 'deny') return `The host does not allow ${name}.`;
  return `${name} did not run: its "approval" must be "allow", "ask" or "deny", and is ${JSON.stringify(approval)}.`;
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

/** The maximum number of names. A longer list would make every event larger. */
const maxRecentTools = 10;

/**
 * For each client, the names of the tools that were called last. Storing the names in the client was rejected, because hosts may
 * implement the client interface themselves.
 */
const recentTools = new WeakMap<HookClient, string[]>();

/** Returns the names of the tools that were called last with this client, in the order in which the calls began. */
function getRecentTools(client: HookClient): string[] {
  return [...(recentTools.get(client) ?? [])];
}

function rememberTool(client: HookClient, name: unknown): void {
  // The model chose the name, so it may be invalid. Later events contain it in `recent_tools`, and an invalid name would make these
  // events invalid.
  if (typeof name !== 'string') return;
  const tools = recentTools.get(client);
  if (tools === undefined) recentTools.set(client, [name]);
  else if (tools.push(name) > maxRecentTools) tools.shift();
}
