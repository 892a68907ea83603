import type { HookDefinition, HookEvent, Selection, Stage } from '@tenterhook/protocol';
import { hasFailed } from '@tenterhook/protocol/internal';
import { entryOf } from '../input/event-table.js';
import { dataOf } from '../settings/hook-data.js';
import { argumentsOf, type EcaTool, rivalsIn, type ToolHost, toolOfInput } from '../tools.js';
import { fitsArguments, selectsTool, type ToolSelector } from './tool-selectors.js';

type Fields = Readonly<Record<string, unknown>>;

export function select(hook: HookDefinition, { input }: HookEvent, host: ToolHost): Selection {
  const { type, runOnError, trigger } = dataOf(hook);
  if (trigger !== undefined) return selectByTrigger(trigger, input);
  if (entryOf(type).ofTool !== true) return { run: true, reason: `it runs on every ${type}` };
  const selection = selectByTool(hook, input, host);
  if (!selection.run || type !== 'postToolCall' || runOnError || !hasFailed(input['tool_response'])) return selection;
  // `reconsider`, because an earlier hook may replace the result and so remove the error.
  return { run: false, skipReason: 'condition', reason: 'the tool failed, and "runOnError" is not true', reconsider: true };
}

/**
 * Sorts the hooks by key, in the order of UTF-16 code units. The hooks run one after the other, so each is a stage (decision 54). If
 * two hooks have the same key, the hook of the workspace runs first (decision 62).
 */
export function layOut(hooks: readonly HookDefinition[]): Stage[] {
  const inOrder = [...hooks].sort((a, b) => {
    const [one, other] = [dataOf(a).key, dataOf(b).key];
    return one < other ? -1 : one > other ? 1 : 0;
  });
  return inOrder.map((hook) => ({ hooks: [hook] }));
}

function selectByTrigger(trigger: string, input: Fields): Selection {
  const found = input['trigger'];
  const what = `the matcher ${JSON.stringify(trigger)}`;
  if (found === undefined) return { run: false, skipReason: 'matcher', reason: `it runs when ${what} is the trigger`, reconsider: true };
  if (found === trigger) return { run: true, reason: `${what} is the trigger` };
  return { run: false, skipReason: 'matcher', reason: `${what} is not the trigger ${JSON.stringify(found)}` };
}

function selectByTool(hook: HookDefinition, input: Fields, host: ToolHost): Selection {
  const { type, matches, selectors } = dataOf(hook);
  const tool = toolOfInput(input, host);
  if (selectors !== undefined) return selectBySelectors(selectors, tool, input, host);
  if (matches === undefined) return { run: true, reason: `it has no matcher and runs on every ${type}` };
  const what = `the regular expression ${JSON.stringify(hook.matcher)}`;
  // Only `explain` passes an event without a tool. Whether the hook would run is then unknown, so the reason names the condition.
  if (tool === undefined)
    return { run: false, skipReason: 'matcher', reason: `it runs when ${what} matches the whole of server__tool`, reconsider: true };
  const matched = tool.candidates.find(matches);
  if (matched !== undefined) return { run: true, reason: `${what} matches ${JSON.stringify(matched)}` };
  return { run: false, skipReason: 'matcher', reason: `${what} does not match the whole of ${namesOf(tool)}` };
}

function selectBySelectors(selectors: readonly ToolSelector[], tool: EcaTool | undefined, input: Fields, host: ToolHost): Selection {
  const list = selectors.map(({ name }) => JSON.stringify(name)).join(' or ');
  if (tool === undefined)
    return { run: false, skipReason: 'matcher', reason: `it runs when its matcher selects the tool: ${list}`, reconsider: true };
  const ofTool = selectors.filter((selector) => selectsTool(selector, tool));
  if (ofTool.length === 0) return { run: false, skipReason: 'matcher', reason: `its matcher does not select ${namesOf(tool)}` };
  const free = ofTool.find(({ args }) => args.length === 0);
  if (free !== undefined) return { run: true, reason: `its matcher selects ${JSON.stringify(free.name)}` };
  // Only `explain` passes a call without arguments.
  const isKnown = input['tool_input'] !== undefined;
  if (isKnown && rivalsIn(input, host) !== undefined)
    return { run: true, reason: 'the call has two keys for one argument, so its "argsMatchers" may match' };
  const args = isKnown ? argumentsOf(input, host) : {};
  const fitting = isKnown ? ofTool.find((selector) => fitsArguments(selector, args)) : undefined;
  if (fitting !== undefined) return { run: true, reason: `its matcher selects ${JSON.stringify(fitting.name)}, and the arguments match` };
  const reason = isKnown
    ? 'its "argsMatchers" do not match this call'
    : 'it runs when its "argsMatchers" match, which depends on tool_input';
  // `reconsider`, because another hook may rewrite the arguments so that they match.
  return { run: false, skipReason: 'condition', reason, reconsider: true };
}

function namesOf({ candidates }: EcaTool): string {
  return candidates.map((name) => JSON.stringify(name)).join(' or ');
}
