import type { HookDefinition } from '@tenterhook/protocol';
import { keyOfHook } from '../outcome/hook-key.js';

/**
 * The maximum number of entries, one for each session and hook. When it is exceeded, the oldest entries are removed. A limit is needed,
 * because a service runs for long and does not learn when a session ends.
 */
const mostRuns = 10_000;

/** One run of a hook with `once`. While it lasts, the hook cannot run again in the session. */
export interface OnceRun {
  /** Must be called when the run has started. From then on the hook cannot run again in the session. */
  started(): void;
  /**
   * Must be called when the run has ended. If the run never started, for example because its event was cancelled, the hook may run again.
   */
  ended(): void;
}

/**
 * Records which hooks with `once` have run in which session. If two events start a hook at the same time, only one of them runs it. A
 * hook is identified by its id and the level of its settings. So it does not run again after a reload.
 */
export class OnceRuns {
  /** The keys, the oldest first. */
  readonly #runs = new Set<string>();

  has(hook: HookDefinition, sessionId: unknown): boolean {
    return this.#runs.has(keyOf(hook, sessionId));
  }

  /** Begins a run. Returns undefined if the hook has already run in this session, or is running or about to run. */
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

/** Why a hook with `once` does not run, for people. */
export const onceReason = 'It runs once per session and has already run in this one.';

/** The key contains the level of the hook's settings, because the same id can mean different hooks (`keyOfHook`). */
function keyOf(hook: HookDefinition, sessionId: unknown): string {
  return JSON.stringify([sessionId, keyOfHook(hook)]);
}
