import type { HookDefinition, PinnedParts } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { riskyVariable } from '../reach/command/programs/programs.js';

/**
 * Returns everything in the settings that decides when, how, how long and with what the hook runs, as plain JSON. Leaves out the hook's
 * position, file, name and description, and the order of keys. So the user is not asked again after a rename or a reordering.
 */
export function definitionOf(hook: HookDefinition, { definition = {} }: PinnedParts = {}): Record<string, unknown> {
  const {
    eventName,
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
    cwd,
    executor,
  } = hook;
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
      cwd,
      executor,
    }),
    ...definition,
  };
}

/** Returns the names of variables that can change which program runs for a command (`PATH`), in code-unit order. */
export function riskyVariables(environment: Readonly<Record<string, string>>): string[] {
  return Object.keys(environment)
    .filter((name) => riskyVariable.test(name))
    .sort();
}
