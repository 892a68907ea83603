import {
  type Diagnostic,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookTrust,
  type LoadSkip,
  type RemoteEngineIdentity,
  type SkipReason,
  type StartRoute,
} from '@tenterhook/protocol';
import { matcherSubject, shownAction } from '@tenterhook/protocol/internal';
import { planEvent, selectHook } from '../planner/plan-event.js';
import type { HookSet } from '../registry/registry.js';
import { isUnrunGuard } from '../registry/unrun-guard.js';
import type { HookCircuits } from '../runner/circuit/circuit-breaker.js';
import { type OnceRuns, onceReason } from '../runner/once-runs.js';

/** Whether a hook would run for an event, and why. */
export interface ExplainedHook {
  readonly hookId: string;
  readonly name?: string;
  readonly dialect: string;
  /** The name of the event in the settings, if it is not the canonical one. */
  readonly dialectEvent?: string;
  readonly source: string;
  readonly file?: string;
  readonly line?: number;
  readonly wouldRun: boolean;
  /** A sentence for people. */
  readonly reason: string;
  readonly skipReason?: SkipReason;
  /** The id of the hook that runs instead of this one. */
  readonly duplicateOf?: string;
  /** The name of an input field that is missing. Whether the hook runs depends on this field. */
  readonly missingField?: string;
  /** The stage of the hook, from 1. Hooks of one stage run in parallel, stages one after another. Absent if the hook does not run. */
  readonly stage?: number;
  readonly command?: string;
  /** The URL, if the hook is a request. */
  readonly url?: string;
  /** The type, if only the host can run the hook. */
  readonly type?: string;
  /** The engine that has the handler of the hook, if it is in another process. */
  readonly engine?: RemoteEngineIdentity;
  /** The matcher as written in the settings. */
  readonly matcher?: string;
  /** A condition in addition to the matcher, as written in the settings. */
  readonly condition?: string;
  /** True if the event does not wait for the hook. */
  readonly async?: true;
  /** True if the hook runs once per session. */
  readonly once?: true;
  /**
   * The effective timeout in milliseconds. If several levels configure the same hook, such as the user and the project, the timeout of
   * the highest level is used (decision 22).
   */
  readonly timeoutMs: number;
  readonly onError: 'continue' | 'block';
  /** False if the hook is not asked again after another hook has rewritten the input. */
  readonly recheck?: false;
  /** True if the settings of the hook ask not to show its runs in the chat. */
  readonly hidden?: true;
  /**
   * How the command of the hook would be run. Not set for a hook that is not resident if the system has the option `spawner: 'direct'`.
   * The real run may differ if the hook's format sets a variable that lanes do not support, or if a resident process cannot answer.
   */
  readonly route?: StartRoute;
  /** Whether the user trusts the hook. Absent for a hook that needs no decision. */
  readonly trust?: HookTrust['state'];
}

/** Why each configured hook of an event would run or not, in plan order. Hooks that a setting for all hooks switches off come last. */
export interface Explanation {
  readonly eventName: HookEventName;
  readonly hooks: readonly ExplainedHook[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Explains an event, and changes nothing. `circuits` are the circuits of the set, if there is a circuit breaker. `routeOf` returns how the
 * process of a hook would be started.
 */
export function explainEvent(
  set: HookSet,
  event: HookEvent,
  circuits?: HookCircuits,
  onceRuns?: OnceRuns,
  routeOf: (hook: HookDefinition) => StartRoute | undefined = () => undefined,
): Explanation {
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
    const selection = selected(set, place?.hook ?? hook, event, circuits, onceRuns);
    const route = selection.wouldRun ? routeOf(hook) : undefined;
    return { ...own, ...selection, ...(route && { route }) };
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

/**
 * Explains a planned hook. Whether the hook runs may still depend on rewrites of other hooks, or on a field that is missing in the input.
 */
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
  if (hook.skip !== undefined && isUnrunGuard(hook) && selection.run) {
    return { wouldRun: false, reason: `${selection.reason} ${objectionOf(hook.skip)}`, skipReason: hook.skip.skipReason };
  }
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

/** Returns a sentence about the decision of a hook that denies or asks although it does not run. */
function objectionOf({ skipReason, objects }: LoadSkip): string {
  if (objects === 'ask') return 'The user is asked instead.';
  return `The hook does not run, so the event is denied${skipReason === 'invalid' ? ', as if the hook had failed' : ''}.`;
}

/** Adds to the reason that only some agents fire this event. Without this remark, users could not find out why a valid hook never runs. */
function withHostRemark(reason: string, eventName: HookEventName): string {
  if (eventEntry(eventName).firedBy !== 'host') return reason;
  return `${reason}; ${eventName} is fired only by agents that publish it themselves`;
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
    recheck: hook.recheck,
    hidden: hook.hidden,
    engine: hook.engine,
    trust: hook.trust?.state,
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
