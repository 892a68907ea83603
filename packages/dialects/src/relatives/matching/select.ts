import type { HookDefinition, HookEvent, Selection } from '@tenterhook/protocol';
import { selectByMatcher } from '../../shared/name-matcher.js';
import { findOtherResult } from '../../shared/tool-result.js';
import { subjectsOf } from '../input/payload.js';
import type { RelativeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';

export function select(hook: HookDefinition, event: HookEvent, host: RelativeHost): Selection {
  const { event: name, matcher } = dataOf(hook);
  const facts = host.product.events[name];
  const subjects = () => subjectsOf(event, name, host);
  const byMatcher = selectByMatcher(hook, { event: name, matcher, subject: facts?.subject, subjects });
  if (!byMatcher.run) return byMatcher;
  return findOtherResult(facts?.result, event) ?? findEndOfLoop(hook, event) ?? byMatcher;
}

function findEndOfLoop(hook: HookDefinition, { eventName, input }: HookEvent): Selection | undefined {
  const { loopLimit } = dataOf(hook);
  if (eventName !== 'AfterAgent' || loopLimit === Number.POSITIVE_INFINITY) return undefined;
  const count = typeof input['loop_count'] === 'number' ? input['loop_count'] : input['stop_hook_active'] === true ? 1 : 0;
  if (count < loopLimit) return undefined;
  const reason = `the agent has continued ${count} times in a row, and "loop_limit" is ${loopLimit}`;
  return { run: false, skipReason: 'condition', reason };
}
