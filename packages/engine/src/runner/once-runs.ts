import type { HookDefinition } from '@tenterhook/protocol';
import { keyOfHook } from '../outcome/hook-key.js';

/** Maximum number of entries, one per session and hook. The oldest are evicted: a service lives long and is never notified that a session is over. */
const mostRuns = 10_000;

/** A run that excludes other runs of the hook in the session. */
export interface OnceRun {
  /** The run has started: from now on it counts. */
  started(): void;
  /** The run has ended. It does not count if it never started, because its event was cancelled or its start failed. */
  ended(): void;
}

/**
 * Which hooks with `once` have run in which session. Keyed by level and id of the hook, so that a reload of the settings does not make them run again. A run
 * counts from its start, and one that is about to start excludes others, because two events may be in flight at once.
 */
export class OnceRuns {
  /** Oldest first. */
  readonly #runs = new Set<string>();

  has(hook: HookDefinition, sessionId: unknown): boolean {
    return this.#runs.has(keyOf(hook, sessionId));
  }

  /** Undefined if the hook has run in this session or is about to. */
  begin(hook: HookDefinition, sessionId: unknown): OnceRun | undefined {
    if (this.has(hook, sessionId)) return undefined;
    const key = keyOf(hook, sessionId);
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

/** Why the hook does not run, for people. */
export const onceReason = 'It runs once per session and has already run in this one.';

/** With the level: on some events, a hook of a repository may have the id that the user's copy of it has on others. */
function keyOf(hook: HookDefinition, sessionId: unknown): string {
  return JSON.stringify([sessionId, keyOfHook(hook)]);
}
