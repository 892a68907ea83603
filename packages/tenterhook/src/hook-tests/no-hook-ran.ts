import type { HookEventName, HookOutcome } from '@tenterhook/protocol';
import type { OpenHooks } from '../hooks.js';
import type { Difference } from './compare-result.js';
import type { Expectation } from './test-case.js';

/** The maximum number of hooks whose reasons are listed. */
const mostHooks = 5;

/**
 * Returns a note with the reasons if no hook ran. Such a case often has a typing error in the name of a tool, and passes if it expects no
 * verdict. A case that expects a skipped hook needs no note.
 */
export function noteIfNoHookRan(
  hooks: Pick<OpenHooks, 'explain'>,
  eventName: HookEventName,
  input: object,
  outcomes: readonly HookOutcome[],
  expected: Expectation,
): string[] {
  const isExpected = Object.values(expected.hooks ?? {}).includes('skipped');
  if (isExpected || outcomes.some(({ status }) => status !== 'skipped')) return [];
  const skipped = hooks.explain(eventName, input).hooks.filter(({ wouldRun }) => !wouldRun);
  const reasons = skipped.slice(0, mostHooks).map(({ name, hookId, reason }) => `${name ?? hookId}: ${reason}`);
  const others = skipped.length - reasons.length;
  return [`no hook ran: ${[...reasons, ...(others > 0 ? [`and ${others} other${others === 1 ? '' : 's'}`] : [])].join('; ')}`];
}

/** Returns the difference if an event has no hooks, or only hooks that are switched off. */
export function missingHooks({ off }: Pick<OpenHooks, 'off'>, eventName: HookEventName, event: string): Difference {
  const reasons = [...new Set(off[eventName].map(({ reason }) => reason))];
  const expected = `a hook of ${event}`;
  return reasons.length === 0
    ? {
        field: 'hooks',
        expected,
        received: 'none',
        hint: 'The settings have no hook for this event. tenterhook list shows which settings were read.',
      }
    : { field: 'hooks', expected, received: `${off[eventName].length} switched off`, hint: reasons.join('\n') };
}
