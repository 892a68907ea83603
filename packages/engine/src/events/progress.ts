import type { HookDefinition, HookExecutionProgress, HookOutcome, Plan } from '@tenterhook/protocol';
import type { CircuitState } from '../runner/circuit/circuit.js';

/** A progress payload without the correlation id, which only the bus knows. */
export type ProgressMessage = HookExecutionProgress extends infer Message
  ? Message extends unknown
    ? Omit<Message, 'correlationId'>
    : never
  : never;

/** What a watcher is told while an event is carried out. Never throws, and nothing waits for it. */
export interface ReportProgress {
  planned(plan: Plan): void;
  started(hook: HookDefinition): void;
  finished(hook: HookDefinition, outcome: HookOutcome, late?: boolean): void;
  /** The event made the hook's circuit change. */
  circuitChanged(hook: HookDefinition, state: CircuitState): void;
  /** Hooks that had a place in a stage and no turn: a deny, a stop, a condition or an open circuit came first. */
  skippedOf(plan: Plan, outcomes: readonly HookOutcome[]): void;
}

/** Turns what happens into messages; `elapsedMs` tells the milliseconds since the event began. */
export function reportProgress(eventName: string, elapsedMs: () => number, send: (message: ProgressMessage) => void): ReportProgress {
  const base = () => ({ eventName, elapsedMs: elapsedMs() });
  return {
    planned(plan) {
      const stages = plan.stages.map((stage) =>
        stage.hooks.map((hook) => ({ hookId: hook.id, ...named(hook), dialect: hook.dialect, source: hook.source, ...hiddenOf(hook) })),
      );
      send({ kind: 'planned', ...base(), stages, skipped: plan.skipped.length });
    },
    started(hook) {
      send({ kind: 'hook-started', ...base(), hookId: hook.id, ...named(hook), ...hiddenOf(hook), timeoutMs: hook.timeoutMs });
    },
    finished(hook, outcome, late) {
      const { stdout: _stdout, stderr: _stderr, output: _output, warnings, ...small } = outcome;
      send({
        kind: 'hook-finished',
        ...base(),
        hookId: hook.id,
        ...hiddenOf(hook),
        outcome: { ...small, warnings: warnings.map((warning) => ({ ...warning })) },
        ...(late ? { late: true as const } : {}),
      });
    },
    circuitChanged(hook, state) {
      send({ kind: 'circuit-changed', ...base(), hookId: hook.id, state });
    },
    skippedOf(plan, outcomes) {
      const planned = new Set(plan.stages.flatMap((stage) => stage.hooks.map((hook) => hook.id)));
      for (const { hookId, status, skipReason = 'invalid' } of outcomes) {
        if (status === 'skipped' && planned.has(hookId)) send({ kind: 'hook-skipped', ...base(), hookId, skipReason });
      }
    },
  };
}

function hiddenOf(hook: HookDefinition): { hidden?: true } {
  return hook.hidden === true ? { hidden: true } : {};
}

function named(hook: HookDefinition): { name?: string } {
  return hook.name === undefined ? {} : { name: hook.name };
}
