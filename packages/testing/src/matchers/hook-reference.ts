import type { HookOutcome } from '@tenterhook/protocol';
import { describeOption, escapeUnseen } from '@tenterhook/runtime/text';
import type { MatcherThis } from './matcher-context.js';
import type { ReceivedResult } from './received-results.js';

/** The id of a hook, its name if only one hook has it, or a RegExp that an id or a name matches. */
export type HookReference = string | RegExp;

/** A hook reference that was compared with the hooks of a result. */
export interface FoundHooks {
  /** Tests an id. */
  readonly has: (hookId: string) => boolean;
  /** How a message names the hooks. */
  readonly label: string;
  /** All outcomes of these hooks: that of a first run, and that of a recheck. */
  readonly outcomes: readonly (HookOutcome & { readonly place: string | undefined })[];
}

/**
 * Finds the hooks that a test means. Throws a TypeError if a name belongs to several hooks. With `.not`, also if the event has hooks but
 * not this one, because an assertion with a misspelt name would always pass.
 */
export function findHooks(matcher: string, hook: HookReference, results: readonly ReceivedResult[], context: MatcherThis): FoundHooks {
  if (!(hook instanceof RegExp) && (typeof hook !== 'string' || hook === '')) {
    throw new TypeError(`${matcher}: the hook must be an id, a name or a RegExp, and is ${describeOption(hook)}.`);
  }
  const all = results.flatMap(({ outcomes, place }) => outcomes.map((outcome) => ({ ...outcome, place })));
  const ids = matchingIds(matcher, hook, results, all);
  const outcomes = all.filter(({ hookId }) => ids.has(hookId));
  if (context?.isNot === true && ids.size === 0 && isWholeEvent(results)) {
    const known = [...new Set(all.map(({ hookId }) => hookId))];
    throw new TypeError(
      `${matcher}: no hook of this event is ${escapeUnseen(String(hook))}, so the assertion with .not cannot fail. Its hooks are ${escapeUnseen(known.join(', '))}.`,
    );
  }
  return { has: (hookId) => ids.has(hookId), label: escapeUnseen(String(hook)), outcomes };
}

/**
 * Whether the outcomes of all hooks of an event are known. Unknown hooks of what a function for agents returned are not an error: their
 * event may not have been asked, because another hook denied before.
 */
function isWholeEvent(results: readonly ReceivedResult[]): boolean {
  return results.some(({ outcomes }) => outcomes.length > 0) && results.every(({ place }) => place === undefined);
}

function matchingIds(
  matcher: string,
  hook: HookReference,
  results: readonly ReceivedResult[],
  outcomes: readonly HookOutcome[],
): ReadonlySet<string> {
  // A decider may have no outcome in a response that is incomplete.
  const named = [...outcomes, ...results.flatMap(({ verdict }) => [...verdict.by, ...verdict.stoppedBy].map((hookId) => ({ hookId })))];
  if (hook instanceof RegExp) {
    // `search` ignores the position that a global RegExp remembers.
    const matches = (text: string | undefined) => text !== undefined && text.search(hook) !== -1;
    return new Set(named.filter((one) => matches(one.hookId) || matches(nameOf(one))).map(({ hookId }) => hookId));
  }
  if (named.some(({ hookId }) => hookId === hook)) return new Set([hook]);
  const ids = [...new Set(named.filter((one) => nameOf(one) === hook).map(({ hookId }) => hookId))];
  const events = new Set(outcomes.filter(({ hookId }) => ids.includes(hookId)).map(({ eventName }) => eventName));
  // A hook of settings that is configured for two events is one hook to its author.
  if (ids.length > 1 && events.size < ids.length) {
    throw new TypeError(
      `${matcher}: ${ids.length} hooks have the name "${escapeUnseen(hook)}". Pass one of their ids: ${escapeUnseen(ids.join(', '))}.`,
    );
  }
  return new Set(ids);
}

/** The name in the settings, or the last part of the id. */
function nameOf({ hookId, name }: { readonly hookId: string; readonly name?: string | undefined }): string {
  if (name !== undefined) return name;
  const last = hookId.split('/').at(-1) as string;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
