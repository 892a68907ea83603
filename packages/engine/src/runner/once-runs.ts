import type { HookDefinition } from '@tenterhook/protocol';

/** Sessions times hooks. Of the oldest it is forgotten that they have run: a service lives long, and sessions do not say when nobody returns to them. */
const mostRuns = 10_000;

/** A run that no other one may be beside. */
export interface OnceRun {
  /** It really begins: from now on it counts. */
  started(): void;
  /** It is over. One that never began, because its event was cancelled or nothing could start it, does not count. */
  ended(): void;
}

/**
 * Which hooks with `once` have run in which session. By the hook's id, so that reading the settings again does not make them run again; a run
 * counts from its beginning, and one that is about to begin keeps others out, because two events may be in flight at once.
 */
export class OnceRuns {
  /** Oldest first. */
  readonly #runs = new Set<string>();

  has({ id }: HookDefinition, sessionId: unknown): boolean {
    return this.#runs.has(keyOf(id, sessionId));
  }

  /** undefined: it has run in this session, or is about to. */
  begin(hook: HookDefinition, sessionId: unknown): OnceRun | undefined {
    if (this.has(hook, sessionId)) return undefined;
    const key = keyOf(hook.id, sessionId);
    this.#runs.add(key);
    if (this.#runs.size > mostRuns) this.#runs.delete(this.#runs.values().next().value as string);
    let hasStarted = false;
    return {
      started: () => {
        hasStarted = true;
      },
      ended: () => {
        if (!hasStarted) this.#runs.delete(key);
      },
    };
  }
}

/** Why it does not run, for people. */
export const onceReason = 'It runs once in a session, and has run in this one.';

function keyOf(hookId: string, sessionId: unknown): string {
  return JSON.stringify([sessionId, hookId]);
}
