import { eventEntry, type HookDefinition, type HookEvent, matcherSubject, type Selection, type Stage } from '@tenterhook/protocol';
import { layOutBySequential } from '../shared/matching.js';
import { dataOf } from './hook-data.js';

export function select(hook: HookDefinition, event: HookEvent): Selection {
  const { matcher } = dataOf(hook);
  if (matcher.kind === 'all') return { run: true, reason: `it has no matcher and runs on every ${event.eventName}` };
  const subject = matcherSubject(event.eventName, event.input);
  const field = eventEntry(event.eventName).matcherField;
  const what = `the ${matcher.kind === 'glob' ? 'glob' : 'regular expression'} ${JSON.stringify(matcher.text)}`;
  // Only asked by `explain`: an event that is fired has been validated. Neither yes nor no would be true.
  if (subject === undefined)
    return { run: false, skipReason: 'matcher', reason: `it runs when ${what} matches ${field}`, reconsider: true };
  return matcher.test(subject)
    ? { run: true, reason: `${what} matches ${field} ${JSON.stringify(subject)}` }
    : { run: false, skipReason: 'matcher', reason: `${what} does not match ${field} ${JSON.stringify(subject)}` };
}

/** One stage, or a stage each when any group among these hooks is sequential (seed 001 §7.4, decision 16a). */
export function layOut(hooks: readonly HookDefinition[]): Stage[] {
  return layOutBySequential(hooks, (hook) => dataOf(hook).sequential);
}
