import type { AggregatedHookResult, HookFieldsOf, HookLevel, McpContext } from '@tenterhook/protocol';
import { isBelow, levelOf } from '@tenterhook/protocol/internal';
import { isSameJson, omitUndefined } from '@tenterhook/runtime/json';
import { describeAbort } from '@tenterhook/runtime/text';
import { formatFailure } from '../client/failure-text.js';
import type { HookClient } from '../client/hook-client.js';
import { copyInput, findInputProblem, type ToolInput, type ToolSchema, toRewrittenInput } from '../tool/tool-input.js';
import type { Question } from './ask-user.js';
import { fireBeforeEvent, type Permission } from './fire-before-event.js';
import { recheckInput } from './recheck-input.js';

/** A tool call that must be confirmed. */
export interface UnconfirmedCall {
  readonly name: string;
  readonly mcpContext?: McpContext | undefined;
  readonly schema?: ToolSchema | undefined;
  readonly maxRetries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The input that must be confirmed, and the events so far. */
export interface RequestedPermission {
  readonly input: ToolInput;
  readonly asking?: AggregatedHookResult | undefined;
  readonly beforeTool: HookFieldsOf<'BeforeTool'>;
}

interface Answered {
  /** The input that the tool would receive, with the rewrites of PermissionRequest. */
  readonly input: ToolInput;
  /** The result of PermissionRequest. Absent if the event has no hooks. */
  readonly permission?: AggregatedHookResult;
  /** The result of the recheck: hooks of BeforeTool were asked again, because the input was rewritten after their answer. */
  readonly recheck?: AggregatedHookResult;
}

export type PermissionAnswer =
  | (Answered & { readonly kind: 'granted' })
  /** The hooks have not answered for the user, so the user must be asked. */
  | (Answered & { readonly kind: 'asked'; readonly question: Question })
  | (Answered & { readonly kind: 'blocked'; readonly reason: string; readonly retryAfterMs?: number })
  | (Answered & { readonly kind: 'failed'; readonly reason: string })
  /** `by`: the result that stops the agent. */
  | (Answered & { readonly kind: 'stopped'; readonly by: AggregatedHookResult });

/**
 * Asks the hooks of PermissionRequest whether a tool may run. They may answer for the user. If they do not, the result has the question
 * for the user.
 *
 * If hooks of PermissionRequest rewrite the input, the hooks of BeforeTool are asked about the new input. If one of them asks, the user
 * must answer. `asking` is the result of BeforeTool if a hook of BeforeTool asked. It is absent if no hook asked, and the `approval` of the
 * agent is `ask`.
 */
export async function requestPermission(
  client: HookClient,
  call: UnconfirmedCall,
  { input, asking, beforeTool }: RequestedPermission,
): Promise<PermissionAnswer> {
  const { name, mcpContext, maxRetries, signal } = call;
  const fired = await fireBeforeEvent(client, {
    eventName: 'PermissionRequest',
    // There is no `tool_use_id`, because PermissionRequest comes from Claude Code's format, which has none in this event.
    input: { tool_name: name, tool_input: input, ...omitUndefined({ mcp_context: mcpContext }) },
    ...omitUndefined({ maxRetries, signal }),
  });
  const permission: Permission = isUnknownEvent(fired) ? { kind: 'open' } : fired;
  const rewritten = toRewrittenInput(name, permission.before);
  const effective = rewritten?.input ?? input;
  let answered: Answered = { input: effective, ...omitUndefined({ permission: permission.before }) };

  if (permission.kind === 'stopped') return { ...answered, by: permission.before, kind: 'stopped' };
  if (permission.kind === 'cancelled') return { ...answered, kind: 'failed', reason: describeAbort('The call was cancelled', signal) };
  if (permission.kind === 'blocked') {
    const { reason, retryAfterMs } = permission;
    return { ...answered, kind: 'blocked', reason, ...omitUndefined({ retryAfterMs }) };
  }
  if (rewritten !== undefined) {
    const reason =
      rewritten.refusal ??
      (await findInputProblem(call.schema, { original: input, effective, isShown: true }, permission.before, signal))?.reason;
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
  return { ...answered, kind: 'asked', question };
}

/**
 * Whether the hook service is of an earlier version, which does not know the event PermissionRequest. This is not a failure: the user is
 * asked without hooks of this event.
 */
function isUnknownEvent({ before }: Permission): boolean {
  if (before === undefined || before.verdict.kind !== 'none' || before.verdict.stop) return false;
  return before.errors.length > 0 && before.errors.every(({ code, hookId }) => code === 'unsupported_event' && hookId === undefined);
}

/**
 * Whether the hooks have answered for the user with an allow. An allow in a failed request does not count, because a hook that was not
 * asked might have denied.
 */
function isAnswer({ before }: Permission, asking: AggregatedHookResult | undefined): boolean {
  return before?.verdict.kind === 'allow' && formatFailure(before) === undefined && mayAnswer(before, asking);
}

/**
 * Whether the hooks that allow may answer the question of the hooks that ask. A hook of a lower settings level, e.g. of the project, cannot
 * answer the question of a hook of a higher level. Otherwise a repository could confirm a call that a guard of the user wants to show to
 * the user. If the agent itself asks, hooks of all levels may answer.
 */
function mayAnswer(allowing: AggregatedHookResult, asking: AggregatedHookResult | undefined): boolean {
  if (asking === undefined) return true;
  const questions = levelsOfDeciders(asking);
  // Services other than Tenterhook's may leave outcomes out. Then the levels of the hooks are unknown, so only the user may answer.
  if (questions.length < asking.verdict.by.length || questions.length === 0) return false;
  return levelsOfDeciders(allowing).some((answer) => questions.every((question) => !isBelow(answer, question)));
}

function levelsOfDeciders({ verdict, outcomes }: AggregatedHookResult): HookLevel[] {
  return outcomes.filter(({ hookId }) => verdict.by.includes(hookId)).map(levelOf);
}
