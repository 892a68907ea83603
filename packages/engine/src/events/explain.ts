import {
  type Diagnostic,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  matcherSubject,
  shownAction,
} from '@tenterhook/protocol';
import { planEvent, selectHook } from '../planner/plan-event.js';
import type { HookSet } from '../registry/registry.js';
import type { HookCircuits } from '../runner/circuit/circuit-breaker.js';
import { type OnceRuns, onceReason } from '../runner/once-runs.js';

export interface ExplainedHook {
  readonly hookId: string;
  readonly name?: string;
  readonly dialect: string;
  /** The event as its settings name it, where that is not the name of the event itself. */
  readonly dialectEvent?: string;
  readonly source: string;
  readonly file?: string;
  readonly line?: number;
  readonly wouldRun: boolean;
  /** A sentence for people. */
  readonly reason: string;
  readonly skipReason?: string;
  /** The hook that runs in place of this one. */
  readonly duplicateOf?: string;
  /** The input field that decides and that the input lacks: whether the hook runs cannot be told without it. */
  readonly missingField?: string;
  /** Its place in the plan, from 1: hooks of one stage run side by side, stages one after another. Absent where it has none. */
  readonly stage?: number;
  readonly command?: string;
  /** Where a request goes, of a hook that is one. */
  readonly url?: string;
  /** The type of what only the host can do, of a hook that asks for that. */
  readonly type?: string;
  /** As it is written in the settings. */
  readonly matcher?: string;
  /** What else decides whether it runs, as it is written in the settings. */
  readonly condition?: string;
  /** Started and not waited for. */
  readonly async?: true;
  /** Runs once in a session. */
  readonly once?: true;
  /** What it would run with: of copies of one hook, the longest timeout and the strictest `onError` count (decision 22). */
  readonly timeoutMs: number;
  readonly onError: 'continue' | 'block';
  /** Its settings ask that its runs are not shown in the chat. */
  readonly hidden?: true;
}

/** Why each configured hook of an event would or would not run, in plan order; those switched off as a whole come last. */
export interface Explanation {
  readonly eventName: HookEventName;
  readonly hooks: readonly ExplainedHook[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `circuits`: those of the set, where there is a circuit breaker; they and `onceRuns` are asked and not changed. */
export function explainEvent(set: HookSet, event: HookEvent, circuits?: HookCircuits, onceRuns?: OnceRuns): Explanation {
  const { eventName } = event;
  const plan = planEvent(set.hooks[eventName], set.dialects, event);
  const skipped = new Map(plan.skipped.map((entry) => [entry.hook.id, entry]));
  const planned = new Map(plan.stages.flatMap((stage, index) => stage.hooks.map((hook) => [hook.id, { hook, stage: index + 1 }] as const)));
  const hooks = plan.order.map((hook): ExplainedHook => {
    const entry = skipped.get(hook.id);
    if (entry !== undefined) {
      const { reason, skipReason, duplicateOf } = entry;
      return { ...identity(hook), wouldRun: false, reason, skipReason, ...(duplicateOf === undefined ? {} : { duplicateOf }) };
    }
    const place = planned.get(hook.id);
    const own = place === undefined ? identity(hook) : { ...identity(place.hook), stage: place.stage };
    return { ...own, ...selected(set, place?.hook ?? hook, event, circuits, onceRuns) };
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

/** A hook that stays a candidate is not yet one that runs: what others rewrite, or what the input lacks, decides. */
function selected(
  set: HookSet,
  hook: HookDefinition,
  event: HookEvent,
  circuits: HookCircuits | undefined,
  onceRuns: OnceRuns | undefined,
): Pick<ExplainedHook, 'wouldRun' | 'reason' | 'skipReason' | 'missingField'> {
  const dialect = set.dialects.find((candidate) => candidate.name === hook.dialect);
  if (dialect === undefined) return { wouldRun: true, reason: '' };
  const selection = selectHook(dialect, hook, event);
  if (selection.run) {
    if (hook.once && onceRuns?.has(hook, event.input.session_id)) return { wouldRun: false, reason: onceReason, skipReason: 'once' };
    const refusal = circuits?.refusalOf(hook);
    return refusal === undefined
      ? { wouldRun: true, reason: withHostRemark(selection.reason, event.eventName) }
      : { wouldRun: false, reason: refusal, skipReason: 'circuit-open' };
  }
  const { matcherField } = eventEntry(event.eventName);
  const isMissing = matcherField !== undefined && matcherSubject(event.eventName, event.input) === undefined;
  return {
    wouldRun: false,
    reason: selection.reason,
    skipReason: selection.skipReason,
    ...(isMissing ? { missingField: matcherField } : {}),
  };
}

/** A hook that is in order and never runs is the one that nobody understands: the agent may know nothing of its event. */
function withHostRemark(reason: string, eventName: HookEventName): string {
  if (eventEntry(eventName).firedBy !== 'host') return reason;
  return `${reason}; nothing fires ${eventName} but an agent that publishes it itself`;
}

function identity(hook: HookDefinition): Omit<ExplainedHook, 'wouldRun' | 'reason'> {
  const optional = {
    name: hook.name,
    dialectEvent: hook.dialectEvent === hook.eventName ? undefined : hook.dialectEvent,
    file: hook.file,
    line: hook.line,
    matcher: hook.matcher,
    condition: hook.condition,
    async: hook.async === true ? true : undefined,
    once: hook.once,
    hidden: hook.hidden,
    ...shownAction(hook.action),
  };
  return {
    hookId: hook.id,
    dialect: hook.dialect,
    source: hook.source,
    timeoutMs: hook.timeoutMs,
    onError: hook.onError,
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<ExplainedHook>),
  };
}
