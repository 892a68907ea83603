import { type AggregatedHookResult, type HookFieldsOf, type HookLevel, isBelow, levelOf, type McpContext } from '@tenterhook/protocol';
import { isPlainObject, isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import { describeAbort } from '@tenterhook/runtime/text';
import { formatFailure } from '../client/failure-text.js';
import type { HookClient } from '../client/hook-client.js';
import { copyInput, findInputProblem, refuseByKey, type ToolInput, type ToolSchema } from '../tool/tool-input.js';
import { type Ask, askUser } from './ask-user.js';
import { fireBeforeEvent, type Permission } from './fire-before-event.js';
import { recheckInput } from './recheck-input.js';

/** A call that has to be confirmed. */
export interface UnconfirmedCall {
  readonly name: string;
  readonly mcpContext?: McpContext | undefined;
  readonly schema?: ToolSchema | undefined;
  readonly ask?: Ask | undefined;
  readonly maxRetries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What has to be confirmed. */
export interface RequestedPermission {
  readonly input: ToolInput;
  readonly asking?: AggregatedHookResult | undefined;
  readonly beforeTool: HookFieldsOf<'BeforeTool'>;
}

interface Answered {
  /** What would run now: the hooks of PermissionRequest may have rewritten it. */
  readonly input: ToolInput;
  /** Of PermissionRequest; absent when the event has no hooks. */
  readonly permission?: AggregatedHookResult;
  /** Of BeforeTool, whose hooks are asked again about an input that was rewritten after their answer. */
  readonly recheck?: AggregatedHookResult;
}

export type PermissionAnswer =
  | (Answered & { readonly kind: 'granted' })
  | (Answered & { readonly kind: 'blocked'; readonly reason: string; readonly retryAfterMs?: number })
  | (Answered & { readonly kind: 'failed'; readonly reason: string })
  /** `by`: the result that stops. */
  | (Answered & { readonly kind: 'stopped'; readonly by: AggregatedHookResult });

/**
 * Asks whether a tool may run: first the hooks of PermissionRequest, which may answer for the user, then the user. `asking` is the result of
 * the hooks of BeforeTool that ask; absent when the agent's own approval asks. An input that hooks of PermissionRequest rewrite is shown to the
 * hooks of BeforeTool again, with the other fields of `beforeTool`: they have answered for another one. If one of them asks, the user answers.
 */
export async function requestPermission(
  client: HookClient,
  call: UnconfirmedCall,
  { input, asking, beforeTool }: RequestedPermission,
): Promise<PermissionAnswer> {
  const { name, mcpContext, maxRetries, signal } = call;
  const fired = await fireBeforeEvent(client, {
    eventName: 'PermissionRequest',
    // No tool_use_id: the format that the event comes from has none.
    input: { tool_name: name, tool_input: input, ...omitUndefined({ mcp_context: mcpContext }) },
    ...omitUndefined({ maxRetries, signal }),
  });
  const permission: Permission = isUnknownEvent(fired) ? { kind: 'open' } : fired;
  // A copy, because results are frozen.
  const rewritten: unknown = structuredClone(permission.before?.finalOutput?.hookSpecificOutput?.['tool_input']);
  const effective = isPlainObject(rewritten) ? rewritten : input;
  let answered: Answered = { input: effective, ...omitUndefined({ permission: permission.before }) };

  if (permission.kind === 'stopped') return { ...answered, by: permission.before, kind: 'stopped' };
  if (permission.kind === 'cancelled') return { ...answered, kind: 'failed', reason: describeAbort('The call was cancelled', signal) };
  if (permission.kind === 'blocked') {
    const { reason, retryAfterMs } = permission;
    return { ...answered, kind: 'blocked', reason, ...omitUndefined({ retryAfterMs }) };
  }
  if (rewritten !== undefined) {
    const reason = isPlainObject(rewritten)
      ? (refuseByKey(name, rewritten) ??
        (await findInputProblem(call.schema, { original: input, effective }, permission.before, signal))?.reason)
      : `${name} did not run: its rewritten input is not an object.`;
    if (reason !== undefined) return { ...answered, kind: 'blocked', reason };
  }
  const recheck = isSameJson(effective, input) ? undefined : await recheckInput(client, { ...beforeTool, tool_input: effective }, signal);
  if (recheck !== undefined) {
    answered = { ...answered, recheck: recheck.before };
    if (recheck.kind === 'stopped') return { ...answered, by: recheck.before, kind: 'stopped' };
    if (recheck.kind === 'cancelled') return { ...answered, kind: 'failed', reason: describeAbort('The call was cancelled', signal) };
    if (recheck.kind === 'blocked') {
      const { reason, retryAfterMs } = recheck;
      return { ...answered, kind: 'blocked', reason, ...omitUndefined({ retryAfterMs }) };
    }
  }
  if (recheck?.kind !== 'ask' && isAnswer(permission, asking)) return { ...answered, kind: 'granted' };

  const asked = [permission, recheck].flatMap((result) => (result?.kind === 'ask' ? [result.before.verdict] : []));
  if (asking !== undefined) asked.unshift(asking.verdict);
  // A hook that asks about both inputs is named once.
  const reason = [...new Set(asked.flatMap((verdict) => verdict.reason ?? []))].join('\n') || undefined;
  const by = [...new Set(asked.flatMap((verdict) => verdict.by))];
  const question = { eventName: 'BeforeTool' as const, subject: name, input: copyInput(effective), by, ...omitUndefined({ reason }) };
  const refusal = await askUser(call.ask, question, signal);
  return refusal === undefined ? { ...answered, kind: 'granted' } : { ...answered, kind: 'blocked', reason: refusal };
}

/** A service of an earlier version does not know this event. That is not a failure: the user is asked as before. */
function isUnknownEvent({ before }: Permission): boolean {
  if (before === undefined || before.verdict.kind !== 'none' || before.verdict.stop) return false;
  return before.errors.length > 0 && before.errors.every(({ code, hookId }) => code === 'unsupported_event' && hookId === undefined);
}

/**
 * Only an explicit allow of hooks that may answer: not silence, and not an allow next to a failed request, whose missing hooks may have denied.
 */
function isAnswer({ before }: Permission, asking: AggregatedHookResult | undefined): boolean {
  return before?.verdict.kind === 'allow' && formatFailure(before) === undefined && mayAnswer(before, asking);
}

/**
 * Whether the hooks that allow may answer for the user what other hooks ask: a hook of a lower level never answers one of a higher level
 *. Otherwise a repository could confirm what the guard of its user wants to have confirmed. A question of the agent itself may be
 * answered by hooks of every level.
 */
function mayAnswer(allowing: AggregatedHookResult, asking: AggregatedHookResult | undefined): boolean {
  if (asking === undefined) return true;
  const questions = levelsOfDeciders(asking);
  // A verdict whose outcomes are missing comes from a service that is not ours. Then only the user may answer.
  if (questions.length < asking.verdict.by.length || questions.length === 0) return false;
  return levelsOfDeciders(allowing).some((answer) => questions.every((question) => !isBelow(answer, question)));
}

function levelsOfDeciders({ verdict, outcomes }: AggregatedHookResult): HookLevel[] {
  return outcomes.filter(({ hookId }) => verdict.by.includes(hookId)).map(levelOf);
}
