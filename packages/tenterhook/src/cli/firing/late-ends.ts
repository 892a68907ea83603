import type { MessageBus } from '@tenterhook/bus';
import type { HookOutcome } from '@tenterhook/protocol';

/** The ends of detached hooks, which continue after their event was answered. */
export interface LateEnds {
  /** Returns the outcomes whose hooks still run. */
  runningOf(outcomes: readonly HookOutcome[]): readonly HookOutcome[];
  /** Resolves when all detached hooks of these outcomes have ended, or when the signal aborts. The timeouts of the hooks limit the wait. */
  wait(outcomes: readonly HookOutcome[], signal: AbortSignal): Promise<void>;
  forget(): void;
}

/**
 * Watches a bus for the ends of detached hooks. Call it before the event is fired. A detached hook may end while other hooks of the event
 * still run.
 */
export function watchLateEnds(bus: MessageBus): LateEnds {
  const ended = new Set<string>();
  let changed = () => {};
  const unsubscribe = bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
    if (payload.kind !== 'hook-finished' || payload.late !== true) return;
    ended.add(payload.hookId);
    changed();
  });
  const runningOf = (outcomes: readonly HookOutcome[]) =>
    outcomes.filter(({ hookId, status }) => status === 'detached' && !ended.has(hookId));
  return {
    runningOf,
    wait: (outcomes, signal) =>
      new Promise((resolve) => {
        changed = () => {
          if (signal.aborted || runningOf(outcomes).length === 0) resolve();
        };
        signal.addEventListener('abort', changed, { once: true });
        changed();
      }),
    forget: unsubscribe,
  };
}
