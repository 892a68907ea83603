import type { HookDefinition, PinnedParts } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';

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

/** Variables that decide which program runs, or what it loads before its own code. They are marked when a person is asked. */
const risky = /^(?:PATH|LD_.*|DYLD_.*|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|PYTHON.*|NODE_.*|PERL5.*|RUBY.*|GIT_.*|IFS|PS4)$/i;

/** The names of variables that can make another program run than the command names, in code-unit order. */
export function riskyVariables(environment: Readonly<Record<string, string>>): string[] {
  return Object.keys(environment)
    .filter((name) => risky.test(name))
    .sort();
}
