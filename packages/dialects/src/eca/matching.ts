import { compileRegex } from '@tenterhook/patterns';
import type { Diagnostic, HookDefinition, HookEvent, Selection, Stage } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';
import type { DocumentPath, Reporter } from '../shared/settings/reporter.js';
import { formatValue } from '../shared/text.js';
import { type EcaType, entryOf } from './input/event-table.js';
import { explainError, reportDoubtfulMatcher } from './lint/matchers.js';
import { dataOf } from './settings/hook-data.js';
import { type ToolHost, toolOfInput } from './tools.js';

/**
 * The matcher of a hook, with its text in the settings. Without `matches`, the hook runs for every tool. With a `problem`, it cannot run.
 */
export interface ReadMatcher {
  readonly matches?: (tool: string) => boolean;
  readonly text?: string;
  readonly problem?: Diagnostic;
}

/**
 * Reads a matcher: a regular expression that must match the whole of `server__tool`. `.` also matches a newline (decision 53, field failure
 * 55).
 */
export function matcherField(written: unknown, path: DocumentPath, type: EcaType, reporter: Reporter): ReadMatcher {
  if (written === undefined || written === null) return {};
  const { eventName, ofTool } = entryOf(type);
  const place = [...path, 'matcher'];
  if (ofTool !== true) {
    const message = `${type} has no value to match; the matcher ${formatValue(written)} is ignored and the hook runs every time.`;
    reporter.report('matcher_ignored', 'warning', place, message, { remedy: 'Remove the matcher, or decide inside the hook.', eventName });
    return {};
  }
  if (typeof written !== 'string') {
    const message = `The matcher must be a string, and is ${formatValue(written)}; the hook does not run.`;
    const remedy = 'Write a regular expression such as "eca__shell_command" or "github__.*".';
    return { text: formatValue(written), problem: reporter.report('invalid_matcher', 'error', place, message, { remedy, eventName }) };
  }
  const onCompiled = (instructions: number) => reporter.countPattern(instructions, place);
  reporter.countPattern(written.length, place);
  const compiled = compileRegex(written, { wholeMatch: true, dotMatchesNewline: true, onCompiled });
  if (!compiled.ok) {
    const error = explainError(written, compiled.error);
    const message = `The matcher ${formatValue(written)} is invalid; the hook does not run. ${error.message}.`;
    const problem = reporter.report('invalid_matcher', 'error', place, message, { remedy: error.remedy, eventName });
    return { text: written, problem };
  }
  reportDoubtfulMatcher(written, compiled.test, { place, eventName, reporter });
  return { matches: compiled.test, text: written };
}

export function select(hook: HookDefinition, { input }: HookEvent, host: ToolHost): Selection {
  const { type, runOnError } = dataOf(hook);
  if (entryOf(type).ofTool !== true) return { run: true, reason: `it runs on every ${type}` };
  const selection = selectByTool(hook, toolOfInput(input, host)?.candidates);
  if (!selection.run || type !== 'postToolCall' || runOnError || !hasFailed(input['tool_response'])) return selection;
  // With `reconsider`, because an earlier hook may replace the result and remove its error.
  return { run: false, skipReason: 'condition', reason: 'the tool failed, and "runOnError" is not true', reconsider: true };
}

/**
 * Orders the hooks by key, in UTF-16 code units. Each action is a stage (decision 54). If two files have the same key, the workspace's hook
 * runs first (decision 62).
 */
export function layOut(hooks: readonly HookDefinition[]): Stage[] {
  const inOrder = [...hooks].sort((a, b) => {
    const [one, other] = [dataOf(a).key, dataOf(b).key];
    return one < other ? -1 : one > other ? 1 : 0;
  });
  return inOrder.map((hook) => ({ hooks: [hook] }));
}

function selectByTool(hook: HookDefinition, candidates: readonly string[] | undefined): Selection {
  const { type, matches } = dataOf(hook);
  if (matches === undefined) return { run: true, reason: `it has no matcher and runs on every ${type}` };
  const what = `the regular expression ${JSON.stringify(hook.matcher)}`;
  // Only `explain` passes an event without a tool. Whether the hook would run is unknown, so the reason names the condition.
  if (candidates === undefined)
    return { run: false, skipReason: 'matcher', reason: `it runs when ${what} matches the whole of server__tool`, reconsider: true };
  const matched = candidates.find(matches);
  if (matched !== undefined) return { run: true, reason: `${what} matches ${JSON.stringify(matched)}` };
  const tried = candidates.map((name) => JSON.stringify(name)).join(' or ');
  return { run: false, skipReason: 'matcher', reason: `${what} does not match the whole of ${tried}` };
}
