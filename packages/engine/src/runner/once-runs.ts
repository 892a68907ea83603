import type { HookDefinition } from '@tenterhook/protocol';
import { keyOfHook } from '../outcome/hook-key.js';

/**
 * Maximum number of entries, one per session and hook. When there are more, the oldest are evicted. A service runs for a long time and is
 * not notified when a session ends.
 */
const mostRuns = 10_000;

/** A run of a hook, during which the hook cannot run again in the session. */
export interface OnceRun {
  /** Call this when the run has started. From then on, the hook cannot run again in the session. */
  started(): void;
  /**
   * Must be called when the run has ended. A run that never started, because its event was cancelled or its start failed, is forgotten, so
   * the hook may run again.
   */
  ended(): void;
}

/**
 * Records which hooks with `once` have run in which session. A hook is identified by level and id, so that it does not run again after a
 * reload of the settings. A run is recorded when it starts. While a run is about to start, other events that are in flight do not start the
 * hook.
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

/** The key contains the level, because the id alone may mean different hooks (`keyOfHook`). */
function keyOf(hook: HookDefinition, sessionId: unknown): string {
  return JSON.stringify([sessionId, keyOfHook(hook)]);
}
