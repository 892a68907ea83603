import type { MessageBus } from '@tenterhook/bus';
import type { HookOutcome } from '@tenterhook/protocol';

/** The ends of detached hooks, which run on after their event. */
export interface LateEnds {
  /** Those of the outcomes that still run. */
  runningOf(outcomes: readonly HookOutcome[]): readonly HookOutcome[];
  /** Resolves when all of them have ended, or with the signal. Their own deadlines bound it. */
  wait(outcomes: readonly HookOutcome[], signal: AbortSignal): Promise<void>;
  forget(): void;
}

/** Watches a bus for them, from before the event is fired: a hook may end while other hooks of its event still run. */
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
