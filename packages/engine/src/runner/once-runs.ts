import type { HookDefinition } from '@tenterhook/protocol';
import { keyOfHook } from '../outcome/hook-key.js';

/**
 * Maximum number of entries, one per session and hook. The oldest are evicted, because a service runs for a long time and is never notified
 * of the end of a session.
 */
const mostRuns = 10_000;

/** A run of a hook, during which the hook cannot run again in the session. */
export interface OnceRun {
  /** Call this when the run has started. From then on it counts. */
  started(): void;
  /** Call this when the run has ended. If it never started, because its event was cancelled or its start failed, it does not count. */
  ended(): void;
}

/**
 * Records which hooks with `once` have run in which session. The key has the level and id of the hook, so that a reload of the settings
 * does not make it run again. A run counts from its start. A run that is about to start excludes others, because two events may be in
 * flight at once.
 */
export class OnceRuns {
  /** The keys, the oldest first. */
  readonly #runs = new Set<string>();

  has(hook: HookDefinition, sessionId: unknown): boolean {
    return this.#runs.has(keyOf(hook, sessionId));
  }

  /** Begins a run. Undefined if the hook has run in this session or is about to. */
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

/** The key contains the level: on some events, a hook of a repository may have the same id as the user's copy of it has on others. */
function keyOf(hook: HookDefinition, sessionId: unknown): string {
  return JSON.stringify([sessionId, keyOfHook(hook)]);
}
