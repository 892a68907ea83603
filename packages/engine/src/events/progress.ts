import type { AggregatedHookResult, HookDefinition, HookExecutionProgress, HookOutcome, Plan } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { wakesAgent } from '../outcome/outcome.js';
import type { CircuitState } from '../runner/circuit/circuit.js';

/** A step of an event, for listeners. */
export type Progress =
  | { readonly kind: 'planned'; readonly plan: Plan }
  /** Hooks are asked again, because the input was rewritten. */
  | { readonly kind: 'recheck-planned'; readonly plan: Plan }
  | { readonly kind: 'started'; readonly hook: HookDefinition; readonly recheck?: true }
  | { readonly kind: 'finished'; readonly hook: HookDefinition; readonly outcome: HookOutcome; readonly late?: boolean }
  /** The event changed the state of the hook's circuit. */
  | { readonly kind: 'circuit-changed'; readonly hook: HookDefinition; readonly state: CircuitState }
  | { readonly kind: 'aggregated'; readonly plan: Plan; readonly result: AggregatedHookResult };

/** Receives the steps of one event in order. Never throws, and the event does not wait for it. */
export type ProgressListener = (progress: Progress) => void;

/** A progress payload without the correlation ID, which only the bus knows. */
export type ProgressMessage = HookExecutionProgress extends infer Message
  ? Message extends unknown
    ? Omit<Message, 'correlationId'>
    : never
  : never;

/** The maximum number of characters of a hook's output in a message. */
const maxPrinted = 10_000;

/** Returns the listener that publishes each step as messages. `elapsedMs` returns the milliseconds since the event began. */
export function sendProgress(eventName: string, elapsedMs: () => number, send: (message: ProgressMessage) => void): ProgressListener {
  const base = () => ({ eventName, elapsedMs: elapsedMs() });
  return (progress) => {
    switch (progress.kind) {
      case 'planned': {
        const { stages, skipped } = progress.plan;
        const described = stages.map((stage) =>
          stage.hooks.map((hook) => ({ hookId: hook.id, ...named(hook), dialect: hook.dialect, source: hook.source, ...hiddenOf(hook) })),
        );
        return send({ kind: 'planned', ...base(), stages: described, skipped: skipped.length });
      }
      case 'started': {
        const { hook, recheck } = progress;
        const again = recheck ? { recheck } : {};
        return send({
          kind: 'hook-started',
          ...base(),
          hookId: hook.id,
          ...named(hook),
          ...hiddenOf(hook),
          timeoutMs: hook.timeoutMs,
          ...again,
        });
      }
      case 'finished': {
        const { hook, outcome, late } = progress;
        const { stdin, stdout, stderr, output, warnings, ...small } = outcome;
        // If the hook ended after the response was sent, the response does not have the hook's output. So this message has it.
        const printed = late
          ? omitUndefined({ output, stdin, stdout: stdout?.slice(0, maxPrinted), stderr: stderr?.slice(0, maxPrinted) })
          : {};
        return send({
          kind: 'hook-finished',
          ...base(),
          hookId: hook.id,
          ...hiddenOf(hook),
          outcome: { ...small, ...printed, warnings: warnings.map((warning) => ({ ...warning })) },
          ...(late ? { late: true as const } : {}),
          ...(late && wakesAgent(hook, outcome) ? { rewake: true as const } : {}),
        });
      }
      case 'circuit-changed':
        return send({ kind: 'circuit-changed', ...base(), hookId: progress.hook.id, state: progress.state });
      case 'aggregated':
        for (const { hookId, skipReason = 'invalid' } of lateSkips(progress.plan, progress.result.outcomes)) {
          send({ kind: 'hook-skipped', ...base(), hookId, skipReason });
        }
    }
  };
}

/** Returns the outcomes of hooks that were planned and then skipped, because of a deny, a stop, a condition or an open circuit. */
export function lateSkips({ stages }: Plan, outcomes: readonly HookOutcome[]): readonly HookOutcome[] {
  // In the usual case no hook runs, but a thousand hooks may not match. The filter below would then take time for nothing.
  if (stages.length === 0) return [];
  const skipped = outcomes.filter(({ status, recheck }) => status === 'skipped' && !recheck);
  if (skipped.length === 0) return [];
  const planned = new Set(stages.flatMap((stage) => stage.hooks.map((hook) => hook.id)));
  return skipped.filter(({ hookId }) => planned.has(hookId));
}

function hiddenOf(hook: HookDefinition): { hidden?: true } {
  return hook.hidden === true ? { hidden: true } : {};
}

function named(hook: HookDefinition): { name?: string } {
  return hook.name === undefined ? {} : { name: hook.name };
}
