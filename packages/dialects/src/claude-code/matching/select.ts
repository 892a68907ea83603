import type { HookDefinition, HookEvent, Selection, Stage } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { reasonOfAll } from '../../shared/matching.js';
import { factsOf } from '../input/event-table.js';
import { subjectsOf } from '../input/payload.js';
import type { ClaudeHost } from '../options.js';
import { type ClaudeHookData, dataOf } from '../settings/hook-data.js';
import { callOfInput } from '../tools/tool-call.js';
import { type ClaudeMatcher, matches } from './matcher.js';

export function select(hook: HookDefinition, event: HookEvent, host: ClaudeHost): Selection {
  const data = dataOf(hook);
  const byMatcher = selectByMatcher(hook, data, event, host);
  if (!byMatcher.run) return byMatcher;
  return findOtherResult(data, event) ?? findUnmetCondition(data, event, host) ?? byMatcher;
}

/** Puts all hooks into one stage, because they run in parallel. Their rewrites are applied in this order. */
export function layOut(hooks: readonly HookDefinition[]): Stage[] {
  return hooks.length === 0 ? [] : [{ hooks }];
}

function selectByMatcher(hook: HookDefinition, { event: name, matcher }: ClaudeHookData, event: HookEvent, host: ClaudeHost): Selection {
  const { subject } = factsOf(name);
  if (matcher.kind === 'all') return { run: true, reason: reasonOfAll(hook, name, subject !== undefined) };
  const what = describeMatcher(matcher, hook.matcher);
  const subjects = subjectsOf(event, name, host);
  // Only `explain` passes an event without this field. It is then unknown whether the hook would run. So the reason names the condition.
  if (subjects === undefined)
    return { run: false, skipReason: 'matcher', reason: `it runs when ${what} matches ${subject}`, reconsider: true };
  const found = subjects.find((text) => matches(matcher, text));
  if (found !== undefined) return { run: true, reason: `${what} matches ${subject} ${JSON.stringify(found)}` };
  const tried = subjects.map((text) => JSON.stringify(text)).join(' or ');
  return { run: false, skipReason: 'matcher', reason: `${what} does not match ${subject} ${tried}` };
}

function describeMatcher(matcher: ClaudeMatcher, text: string | undefined): string {
  const kind = matcher.kind === 'names' ? 'the matcher' : 'the regular expression';
  return `${kind} ${JSON.stringify(text)}`;
}

/**
 * Skips a hook of PostToolUse if the tool failed, and a hook of PostToolUseFailure if the tool succeeded. Both events are the canonical
 * event AfterTool. The test uses the current result, because an earlier hook may have replaced the original one.
 */
function findOtherResult({ event: name }: ClaudeHookData, { input }: HookEvent): Selection | undefined {
  if (name !== 'PostToolUse' && name !== 'PostToolUseFailure') return undefined;
  // Only `explain` passes an event without a result.
  if (input['tool_response'] === undefined) {
    const reason = `it runs if the tool ${name === 'PostToolUse' ? 'did not fail' : 'failed'}, which depends on tool_response`;
    return { run: false, skipReason: 'condition', reason, reconsider: true };
  }
  if (hasFailed(input['tool_response']) === (name === 'PostToolUseFailure')) return undefined;
  const reason =
    name === 'PostToolUse' ? 'the tool failed, so the event is PostToolUseFailure' : 'the tool did not fail, so the event is PostToolUse';
  return { run: false, skipReason: 'condition', reason, reconsider: true };
}

function findUnmetCondition({ event: name, condition }: ClaudeHookData, { input }: HookEvent, host: ClaudeHost): Selection | undefined {
  if (condition === undefined) return undefined;
  const what = `"if": ${JSON.stringify(condition.text)}`;
  if (condition.fits === undefined)
    return { run: false, skipReason: 'condition', reason: `${what} needs a tool call, and ${name} has none` };
  if (input['tool_input'] === undefined) {
    return {
      run: false,
      skipReason: 'condition',
      reason: `it runs when ${what} matches the call, which depends on tool_input`,
      reconsider: true,
    };
  }
  const call = callOfInput(input, host);
  const cwd = typeof input['cwd'] === 'string' ? input['cwd'] : '';
  const origin = isPlainObject(input['tool_input']) ? input['tool_input'] : {};
  if (call === undefined || condition.fits({ names: call.names, input: call.input, cwd, origin })) return undefined;
  // With `reconsider`: another hook may rewrite the arguments, and the condition may then be true.
  return { run: false, skipReason: 'condition', reason: `${what} does not match this call`, reconsider: true };
}
