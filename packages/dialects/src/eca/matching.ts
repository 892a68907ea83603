import { type HookDefinition, type HookEvent, hasFailed, type Selection, type Stage } from '@tenterhook/protocol';
import { entryOf } from './input/event-table.js';
import type { EcaHost } from './options.js';
import { dataOf } from './settings/hook-data.js';
import { toolOfInput } from './tool.js';

export function select(hook: HookDefinition, { input }: HookEvent, host: EcaHost): Selection {
  const { type, matches, runOnError } = dataOf(hook);
  if (entryOf(type).ofTool !== true) return { run: true, reason: `it runs on every ${type}` };
  const fitting = matching(hook, toolOfInput(input, host)?.candidates, matches, type);
  if (!fitting.run || type !== 'postToolCall' || runOnError || !hasFailed(input['tool_response'])) return fitting;
  // A hook before it may replace the result, and with it the error.
  return { run: false, skipReason: 'condition', reason: 'the tool failed, and "runOnError" is not true', reconsider: true };
}

/** By key, in code-unit order, each action on its own (decision 54); of one key in two files the workspace's first (decision 62). */
export function layOut(hooks: readonly HookDefinition[]): Stage[] {
  const inOrder = [...hooks].sort((a, b) => {
    const [one, other] = [dataOf(a).key, dataOf(b).key];
    return one < other ? -1 : one > other ? 1 : 0;
  });
  return inOrder.map((hook) => ({ hooks: [hook] }));
}

function matching(
  hook: HookDefinition,
  candidates: readonly string[] | undefined,
  matches: ((tool: string) => boolean) | undefined,
  type: string,
): Selection {
  if (matches === undefined) return { run: true, reason: `it has no matcher and runs on every ${type}` };
  const what = `the regular expression ${JSON.stringify(hook.matcher)}`;
  // Only asked by `explain`: an event that is fired has been validated. Neither yes nor no would be true.
  if (candidates === undefined)
    return { run: false, skipReason: 'matcher', reason: `it runs when ${what} matches the whole of server__tool`, reconsider: true };
  const matched = candidates.find(matches);
  if (matched !== undefined) return { run: true, reason: `${what} matches ${JSON.stringify(matched)}` };
  const tried = candidates.map((name) => JSON.stringify(name)).join(' or ');
  return { run: false, skipReason: 'matcher', reason: `${what} does not match the whole of ${tried}` };
}
