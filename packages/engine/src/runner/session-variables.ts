import type { HookDefinition, HookOutcome, HookWarning } from '@tenterhook/protocol';
import { isBelow, levelOf } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';

type Variables = Readonly<Record<string, string>>;

/** The maximum number of sessions. When it is exceeded, the oldest is removed: a service does not always learn when a session ends. */
const mostSessions = 1000;
/** The maximum number of characters of all names and values that hooks of one session set. */
const mostCharacters = 65_536;

interface SetBy {
  readonly hook: HookDefinition;
  readonly variables: Variables;
}

/**
 * Keeps the environment variables that hooks set for later hooks of their session (`sessionVariables`). Variables reach only hooks of the
 * same dialect, and of the same level or a lower one. Otherwise a hook of a repository could change the guard of a user.
 */
export class SessionVariables {
  /** The oldest session first. */
  readonly #sessions = new Map<string, SetBy[]>();

  /**
   * Keeps the variables in an outcome. Leaves out variables that a process cannot have, and those above the limit, and returns the outcome
   * with a warning about them. A later run of a hook replaces the values of its earlier runs.
   */
  note(hook: HookDefinition, sessionId: string, outcome: HookOutcome): HookOutcome {
    const written = outcome.status === 'succeeded' ? outcome.output?.hookSpecificOutput?.['sessionVariables'] : undefined;
    if (!isPlainObject(written)) return outcome;
    const known = this.#sessions.get(sessionId) ?? [];
    const others = known.filter((setBy) => setBy.hook.id !== hook.id);
    const earlier = known.find((setBy) => setBy.hook.id === hook.id)?.variables ?? {};
    const kept = new Map(Object.entries(earlier));
    let left =
      mostCharacters - [...others.map(({ variables }) => variables), earlier].reduce((sum, variables) => sum + sizeOf(variables), 0);
    const refused: string[] = [];
    for (const [name, value] of Object.entries(written)) {
      const size = name.length + (typeof value === 'string' ? value.length : 0);
      const freed = kept.has(name) ? name.length + (kept.get(name) as string).length : 0;
      if (typeof value === 'string' && isPossible(name, value) && size - freed <= left) {
        left -= size - freed;
        kept.set(name, value);
      } else refused.push(name);
    }
    this.#sessions.set(sessionId, [...others, { hook, variables: Object.fromEntries(kept) }]);
    if (this.#sessions.size > mostSessions) this.#sessions.delete(this.#sessions.keys().next().value as string);
    return refused.length === 0 ? outcome : { ...outcome, warnings: [...outcome.warnings, leftOut(refused)] };
  }

  /** Returns the environment of a hook: `environment` with the variables of the session that reach the hook. */
  add(hook: HookDefinition, sessionId: string, environment: Variables): Variables {
    const reaching = this.#sessions.get(sessionId)?.filter((setBy) => reaches(setBy.hook, hook)) ?? [];
    return reaching.length === 0 ? environment : Object.assign({}, environment, ...reaching.map(({ variables }) => variables));
  }

  /** Removes the variables of a session that has ended. */
  end(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}

function reaches(from: HookDefinition, to: HookDefinition): boolean {
  return from.dialect === to.dialect && !isBelow(levelOf(from), levelOf(to));
}

function sizeOf(variables: Variables): number {
  return Object.entries(variables).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

/** Tests whether a process can have this variable. */
function isPossible(name: string, value: string): boolean {
  return name !== '' && !/[=\0]/.test(name) && !value.includes('\0');
}

/** The maximum number of names in a warning, and of characters of each name. Values are left out, because they may be secrets. */
const mostNamed = 5;
const longestName = 60;

function leftOut(names: readonly string[]): HookWarning {
  const named = names.slice(0, mostNamed).map((name) => JSON.stringify(name.slice(0, longestName)));
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  const rule = `A name must not be empty or contain "=", and all names and values of a session have at most ${mostCharacters} characters.`;
  return { code: 'no_effect', message: `These variables are not set: ${named.join(', ')}${more}. ${rule}` };
}
