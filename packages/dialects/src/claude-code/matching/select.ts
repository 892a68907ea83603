import type { HookDefinition, HookEvent, Selection } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { selectByMatcher } from '../../shared/name-matcher.js';
import { findOtherResult } from '../../shared/tool-result.js';
import { factsOf } from '../input/event-table.js';
import { subjectsOf } from '../input/payload.js';
import type { ClaudeHost } from '../options.js';
import { type ClaudeHookData, dataOf } from '../settings/hook-data.js';
import { callOfInput } from '../tools/tool-call.js';

export function select(hook: HookDefinition, event: HookEvent, host: ClaudeHost): Selection {
  const data = dataOf(hook);
  const { event: name, matcher } = data;
  const byMatcher = selectByMatcher(hook, {
    event: name,
    matcher,
    subject: factsOf(name).subject,
    subjects: () => subjectsOf(event, name, host),
  });
  if (!byMatcher.run) return byMatcher;
  return findOtherResult(results[name], event) ?? findUnmetCondition(data, event, host) ?? byMatcher;
}

/** Events that are the canonical event AfterTool, by the result for which they are fired. */
const results: Readonly<Record<string, 'success' | 'failure'>> = { PostToolUse: 'success', PostToolUseFailure: 'failure' };

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
  // `reconsider`, because another hook may rewrite the arguments so that the condition becomes true.
  return { run: false, skipReason: 'condition', reason: `${what} does not match this call`, reconsider: true };
}
