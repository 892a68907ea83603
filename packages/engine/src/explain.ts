import type { Diagnostic, HookDefinition, HookEvent, HookEventName } from '@tenterhook/protocol';
import { planEvent } from './planner/plan-event.js';
import type { HookSet } from './registry/hook-set.js';
import { selectHook } from './select-hook.js';

export interface ExplainedHook {
  readonly hookId: string;
  readonly name?: string;
  readonly dialect: string;
  readonly source: string;
  readonly file?: string;
  readonly line?: number;
  readonly wouldRun: boolean;
  /** A sentence for people. */
  readonly reason: string;
  readonly skipReason?: string;
}

/** Why each configured hook of an event would or would not run, in plan order; those switched off as a whole come last. */
export interface Explanation {
  readonly eventName: HookEventName;
  readonly hooks: readonly ExplainedHook[];
  readonly diagnostics: readonly Diagnostic[];
}

export function explainEvent(set: HookSet, event: HookEvent): Explanation {
  const { eventName } = event;
  const plan = planEvent(set.hooks[eventName], set.dialects, event);
  const skipped = new Map(plan.skipped.map((entry) => [entry.hook.id, entry]));
  const hooks = plan.order.map((hook): ExplainedHook => {
    const entry = skipped.get(hook.id);
    if (entry !== undefined) return { ...identity(hook), wouldRun: false, reason: entry.reason, skipReason: entry.skipReason };
    const dialect = set.dialects.find((candidate) => candidate.name === hook.dialect);
    return { ...identity(hook), wouldRun: true, reason: dialect === undefined ? '' : selectHook(dialect, hook, event).reason };
  });
  const off = set.off[eventName].map(
    ({ hook, reason }): ExplainedHook => ({ ...identity(hook), wouldRun: false, reason, skipReason: 'disabled' }),
  );
  return {
    eventName,
    hooks: [...hooks, ...off],
    diagnostics: set.diagnostics.filter((entry) => entry.eventName === undefined || entry.eventName === eventName),
  };
}

function identity(hook: HookDefinition): Pick<ExplainedHook, 'hookId' | 'name' | 'dialect' | 'source' | 'file' | 'line'> {
  return {
    hookId: hook.id,
    ...(hook.name === undefined ? {} : { name: hook.name }),
    dialect: hook.dialect,
    source: hook.source,
    ...(hook.file === undefined ? {} : { file: hook.file }),
    ...(hook.line === undefined ? {} : { line: hook.line }),
  };
}
