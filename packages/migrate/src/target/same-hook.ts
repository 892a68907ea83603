import type { PortableAction, PortableHook } from '../portable/portable-hook.js';

/**
 * What makes a hook the one that it is: when it runs and what it does. A timeout or a description that somebody changed leaves it the same hook,
 * and a name is not what it does; so a hook that is there already is found again, whatever it is called.
 */
export function identityOf({ eventName, outcome, matcher, condition, action, env }: PortableHook): string {
  const subjects = matcher.kind === 'everything' ? null : matcher.subjects.map((subject) => JSON.stringify(subject)).sort();
  return JSON.stringify([eventName, outcome ?? null, subjects, condition ?? null, unquoted(action), Object.entries(env).sort()]);
}

/** Some agents put the directory of the project in quotes themselves; whoever wrote it with and without them means one command. */
function unquoted(action: PortableAction): PortableAction {
  return action.kind === 'command' ? { ...action, text: action.text.replace(/"(\$LLXPRT_PROJECT_DIR)"/g, '$1') } : action;
}
