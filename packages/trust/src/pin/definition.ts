import type { HookDefinition, PinnedParts } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { riskyVariable } from '../reach/command/programs.js';

/**
 * What decides when, how, how long and with what a hook runs, as plain JSON. The place of the hook in its file, the name of the file, the
 * name, the description and the order of keys are left out, so a rename or a reordering causes no question.
 */
export function definitionOf(hook: HookDefinition, { definition = {} }: PinnedParts = {}): Record<string, unknown> {
  const { eventName, dialectEvent, matcher, condition, timeoutMs, longestMs, onError, async, mayDetach, once, recheck, action, executor } =
    hook;
  return {
    event: eventName,
    ...omitUndefined({
      dialectEvent,
      matcher,
      condition,
      timeoutMs,
      longestMs,
      onError,
      async,
      mayDetach,
      once,
      recheck,
      action,
      executor,
    }),
    ...definition,
  };
}

/** Returns the names of variables that can make another program run than the command names, in code-unit order. */
export function riskyVariables(environment: Readonly<Record<string, string>>): string[] {
  return Object.keys(environment)
    .filter((name) => riskyVariable.test(name))
    .sort();
}
