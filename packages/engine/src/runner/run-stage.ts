import {
  type Detachment,
  type Dialect,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookOutcome,
  type HookWarning,
  type LoadSkip,
  type Plan,
  type SkipReason,
  type Stage,
} from '@tenterhook/protocol';
import type { ContainedEvent } from '@tenterhook/protocol/internal';
import type { Abortable } from '@tenterhook/runtime/async';
import type { ProgressListener } from '../events/progress.js';
import { applyFailurePolicy } from '../outcome/failure-policy.js';
import { keyOfHook, rankOf } from '../outcome/hook-key.js';
import { outcomeBase, skippedOutcome, wakesAgent } from '../outcome/outcome.js';
import { reselect } from '../planner/plan-event.js';
import { untrustedOutcome } from '../trust/untrusted-outcome.js';
import type { HookCircuits } from './circuit/circuit-breaker.js';
import { mayDetach } from './detach.js';
import { reentranceOf } from './nested-runs.js';
import { type OnceRuns, onceReason } from './once-runs.js';
import { wasKilled } from './ran-ranks.js';
import { type RunContext, type RunStart, runHook } from './run-hook.js';

/** Everything that the hooks of one event share. */
export interface StageContext extends RunContext {
  readonly report: ProgressListener;
  /** Aborts when the system is disposed. It ends async hooks, which continue after their event. */
  readonly disposeSignal: Abortable;
  /** The circuits of the set that the event started with. If absent, there is no circuit breaker. */
  readonly circuits?: HookCircuits | undefined;
  /** The record of the event. If absent, the event is not recorded. */
  readonly trace?: ContainedEvent | undefined;
  /** If absent, hooks with `once` run each time. */
  readonly onceRuns?: OnceRuns;
}

/** Reports the steps of one run of a hook. */
interface Turn extends RunStart {
  /** `isLate`: the run ended after its event, which did not wait for it. */
  ended(outcome: HookOutcome, isLate?: boolean): void;
}

/**
 * Runs the hooks of one stage at the same time, and returns the outcomes in plan order. If the input was rewritten, each hook is selected
 * again before it runs (`reselect`). `plan` is the plan for `original`, if there is one. Its hooks match `original`, so they need not be
 * selected again.
 */
export async function runStage(
  stage: Stage,
  original: HookEvent,
  current: HookEvent,
  context: StageContext,
  plan?: Plan,
): Promise<HookOutcome[]> {
  const { hooks } = stage;
  const place = context.trace === undefined ? undefined : plan?.stages.indexOf(stage);
  // Hooks that run side by side cannot share a deadline timer, because it has one deadline.
  const own = hooks.length === 1 ? context : { ...context, timer: undefined };
  const start = (hook: HookDefinition, isAgain: boolean) => runOne(hook, original, current, own, { plan, place, isAgain });
  const [first] = hooks;
  const outcomes = hooks.length === 1 && first !== undefined ? [await start(first, false)] : await runSideBySide(hooks, start);
  if (!outcomes.some(wasKilled)) return outcomes;
  for (const [index, outcome] of outcomes.entries()) {
    if (!wasKilled(outcome) || context.signal.aborted) continue;
    // The other hooks of the stage have ended. So this hook now runs alone.
    const again = await start(hooks[index] as HookDefinition, true);
    const message = `${outcome.warnings[0]?.message} The hook was run again, alone.`;
    outcomes[index] = { ...again, warnings: [...again.warnings, { code: 'asked_again', message }] };
  }
  return outcomes;
}

/**
 * Starts hooks of higher levels first, such as those of the user before those of a repository. Otherwise a repository could have so many
 * hooks that guards of the user find no free place to run or to wait.
 */
function runSideBySide(
  hooks: readonly HookDefinition[],
  start: (hook: HookDefinition, isAgain: boolean) => Promise<HookOutcome>,
): Promise<HookOutcome[]> {
  const ranks = hooks.map(rankOf);
  // Sorting is stable, so hooks of the same level start in plan order.
  const order = [...ranks.keys()].sort((a, b) => (ranks[b] as number) - (ranks[a] as number));
  const running: Promise<HookOutcome>[] = [];
  for (const index of order) running[index] = start(hooks[index] as HookDefinition, false);
  return Promise.all(running);
}

async function runOne(
  hook: HookDefinition,
  original: HookEvent,
  current: HookEvent,
  context: StageContext,
  { plan, place, isAgain }: { readonly plan: Plan | undefined; readonly place: number | undefined; readonly isAgain: boolean },
): Promise<HookOutcome> {
  const dialect = context.dialects.find((candidate) => candidate.name === hook.dialect) as Dialect;
  if (plan === undefined || plan.reconsidered?.includes(hook)) {
    const selection = reselect(dialect, hook, original, current);
    if (!selection.run) return skippedOutcome({ hook, skipReason: selection.skipReason, reason: selection.reason });
  }
  const recheck = context.recheck === undefined ? {} : { recheck: true as const };
  // A selected hook with `skip` denies or asks without running (`isUnrunGuard`). Other hooks with `skip` are not selected.
  if (hook.skip !== undefined) return { ...unrunOutcome(hook, hook.skip, dialect), ...recheck };
  // The trust of an async hook is checked here, because its result is reported before it starts. For other hooks the check comes right
  // before the start.
  const distrust = hook.async ? context.trust?.forRun(hook, current.input.cwd)?.look() : undefined;
  if (distrust !== undefined) return { ...untrustedOutcome(hook, distrust, dialect), ...recheck };
  const reentrance = reentranceOf(hook);
  if (reentrance !== undefined) return { ...leftOut(hook, 'reentrant', { code: 'reentrant', message: reentrance }, dialect), ...recheck };
  const isSecondRun = isAgain || context.recheck?.ran.has(keyOfHook(hook)) === true;
  const isLimited = hook.once === true && context.onceRuns !== undefined && !isSecondRun;
  const once = isLimited ? context.onceRuns?.begin(hook, current.input.session_id) : undefined;
  if (isLimited && once === undefined) return { ...skippedOutcome({ hook, skipReason: 'once', reason: onceReason }), ...recheck };
  // The circuit ignores a run of a cancelled event. It also ignores a second run, and never refuses one. A second run may be on data that a
  // hook of a repository wrote. If second runs counted, that hook could write data on which a guard fails, until the circuit of the guard
  // opens and the guard is skipped.
  const { aborted } = hook.async ? context.disposeSignal : context.signal;
  const isOutside = aborted || isSecondRun || (context.recheck !== undefined && context.circuits?.refusalOf(hook) === undefined);
  const entrance = isOutside
    ? undefined
    : context.circuits?.enter(hook, (state) => {
        context.report({ kind: 'circuit-changed', hook, state });
        context.trace?.circuitChanged(hook, state);
      });
  if (entrance?.refusal !== undefined) {
    once?.ended();
    return { ...leftOut(hook, 'circuit-open', { code: 'circuit_open', message: entrance.refusal }, dialect), ...recheck };
  }
  const trace = context.trace?.hook({ hook, stage: place });
  const turn: Turn = {
    trace,
    // Not when the start is reported: the report of one process may arrive after the end of another one, which the first has killed.
    starting: () => context.ranRanks?.note(hook),
    started: () => {
      once?.started();
      context.ranRanks?.note(hook);
      trace?.started();
      context.report({ kind: 'started', hook, ...recheck });
    },
    ended: (outcome, isLate) => {
      once?.ended();
      trace?.ended(outcome, isLate === true);
      context.report({ kind: 'finished', hook, outcome, ...(isLate ? { late: true } : {}) });
      entrance?.end(outcome);
    },
  };
  if (hook.async) return startDetached(hook, current, context, turn);
  if (mayDetach(hook)) return runUntilDetached(hook, current, context, turn);
  const outcome = await runHook(hook, current, context, turn);
  turn.ended(outcome);
  return outcome;
}

/**
 * Resolves to the outcome of the hook. If the hook asks to continue in the background, resolves to `detached` at once. The end of the
 * hook is then reported later.
 */
function runUntilDetached(hook: HookDefinition, current: HookEvent, context: StageContext, turn: Turn): Promise<HookOutcome> {
  return new Promise((resolve, reject) => {
    let isDetached = false;
    const isRecheck = context.recheck !== undefined;
    const began = performance.now();
    const onDetach = ({ warnings = [] }: Detachment) => {
      isDetached = true;
      resolve({ ...detachedOutcome(hook, Math.round(performance.now() - began), warnings), ...(isRecheck ? { recheck: isRecheck } : {}) });
    };
    runHook(hook, current, context, turn, { signal: context.disposeSignal, onDetach })
      .then((outcome) => {
        if (isDetached) return endLate(hook, outcome, turn);
        turn.ended(outcome);
        resolve(outcome);
      })
      .catch(reject);
  });
}

/** Starts the hook without waiting for it. A progress message reports its end. A deny of the hook has no effect (decision 41). */
function startDetached(hook: HookDefinition, current: HookEvent, context: StageContext, turn: Turn): HookOutcome {
  const detached = { ...context, signal: context.disposeSignal, timer: undefined };
  void runHook(hook, current, detached, turn).then((outcome) => endLate(hook, outcome, turn));
  return detachedOutcome(hook, 0, []);
}

function detachedOutcome(hook: HookDefinition, durationMs: number, warnings: readonly HookWarning[]): HookOutcome {
  return { ...outcomeBase(hook), status: 'detached', durationMs, warnings: [...warnings] };
}

function endLate(hook: HookDefinition, outcome: HookOutcome, turn: Turn): void {
  const words = lateWarnings(outcome, wakesAgent(hook, outcome));
  const warnings = [...outcome.warnings, ...words.map((message) => ({ code: 'late_answer' as const, message: `${hook.id} ${message}` }))];
  turn.ended({ ...outcome, warnings }, true);
}

/** Warnings about the parts of a late answer that have no effect. The exit code that wakes the agent is not a block. */
function lateWarnings({ status, failedClosed, output, eventName }: HookOutcome, wakes: boolean): string[] {
  const isDecision = !wakes && (status === 'blocked' || failedClosed === true || output?.continue === false);
  const { rewrites } = eventEntry(eventName as HookEventName);
  const isRewrite = status === 'succeeded' && rewrites.some(({ field }) => output?.hookSpecificOutput?.[field] !== undefined);
  const isSkip = output?.hookSpecificOutput?.['skipRemaining'] === true;
  return [
    ...(isSkip ? ['asked to skip the remaining hooks after its event had been answered: an async hook cannot skip others.'] : []),
    ...(isDecision
      ? [
          'returned a block or a stop after its event had been answered: it is ignored, because an async hook cannot block or stop anything.',
        ]
      : []),
    ...(isRewrite ? ['rewrote a value after its event had been answered: an async hook cannot change anything.'] : []),
  ];
}

function unrunOutcome(hook: HookDefinition, { skipReason, reason, objects, warning }: LoadSkip, dialect: Dialect): HookOutcome {
  if (skipReason === 'untrusted') return untrustedOutcome(hook, { reason, ...(objects === undefined ? {} : { objects }) }, dialect);
  return leftOut(hook, skipReason, warning ?? { code: skipReason, message: reason }, dialect);
}

/**
 * Returns the outcome of a hook that was selected but does not run. If a failure of the hook would deny, the outcome denies too. An async
 * hook never denies.
 */
function leftOut(hook: HookDefinition, skipReason: SkipReason, warning: HookWarning, dialect: Dialect): HookOutcome {
  const outcome: HookOutcome = { ...outcomeBase(hook), status: 'skipped', skipReason, durationMs: 0, warnings: [warning] };
  return hook.async ? outcome : applyFailurePolicy(outcome, hook, dialect);
}
