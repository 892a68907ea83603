import { type HookDefinition, type HookEvent, matcherSubject, type Selection, type Stage } from '@tenterhook/protocol';
import { layOutBySequential } from '../shared/groups/sequential.js';
import { geminiEvent } from './input/event-table.js';
import { matches } from './matching.js';
import type { GeminiHost } from './options.js';
import { dataOf } from './settings/hook-data.js';
import { namesInInput } from './tool-names.js';

export function select(hook: HookDefinition, event: HookEvent, host: GeminiHost): Selection {
  const { matcher } = dataOf(hook);
  if (matcher.kind === 'all') return { run: true, reason: `it has no matcher and runs on every ${event.eventName}` };
  const { subject } = geminiEvent(event.eventName);
  const [what, does, not] =
    matcher.kind === 'regex'
      ? [`the regular expression ${JSON.stringify(matcher.text)}`, 'matches', 'does not match']
      : [`the matcher ${JSON.stringify(matcher.text)}`, 'equals', 'does not equal'];
  const subjects = subjectsOf(event, host);
  // Only asked by `explain`: an event that is fired has been validated. Neither yes nor no would be true.
  if (subjects === undefined)
    return { run: false, skipReason: 'matcher', reason: `it runs when ${what} ${does} ${subject}`, reconsider: true };
  const found = subjects.find((text) => matches(matcher, text));
  if (found !== undefined) return { run: true, reason: `${what} ${does} ${subject} ${JSON.stringify(found)}` };
  const tried = subjects.map((text) => JSON.stringify(text)).join(' or ');
  return { run: false, skipReason: 'matcher', reason: `${what} ${not} ${subject} ${tried}` };
}

/** One stage, or a stage each when any group among these hooks is sequential. */
export function layOut(hooks: readonly HookDefinition[]): Stage[] {
  return layOutBySequential(hooks, (hook) => dataOf(hook).sequential);
}

function subjectsOf({ eventName, input }: HookEvent, host: GeminiHost): readonly string[] | undefined {
  if (geminiEvent(eventName).subject === 'tool_name') return namesInInput(input, host);
  const subject = matcherSubject(eventName, input);
  return subject === undefined ? undefined : [subject];
}
