import {
  type Detachment,
  type Dialect,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookOutcome,
  type HookWarning,
  type Stage,
} from '@tenterhook/protocol';
import type { ReportProgress } from '../events/progress.js';
import { applyFailurePolicy } from '../outcome/failure-policy.js';
import { outcomeBase, skippedOutcome } from '../outcome/outcome.js';
import { selectHook } from '../planner/select-hook.js';
import type { HookCircuits } from './circuit/circuit-breaker.js';
import { type OnceRuns, onceReason } from './once-runs.js';
import { type RunContext, runHook } from './run-hook.js';

/** How one event is carried out: where its signal, its progress and its late answers go. */
export interface StageContext extends RunContext {
  readonly report: ReportProgress;
  /** Aborts when the system is disposed; async hooks outlive their event and end with it. */
  readonly disposeSignal: AbortSignal;
  /** Those of the set that the event started with. Absent: nothing is counted, and no hook is left out. */
  readonly circuits?: HookCircuits;
  /** Absent: hooks with `once` run each time. */
  readonly onceRuns?: OnceRuns;
}

/** What is told of one run that was let in. */
interface Turn {
  started(): void;
  /** `isLate`: behind its event, which has gone on without it. */
  ended(outcome: HookOutcome, isLate?: boolean): void;
}

/**
 * Runs the hooks of one stage side by side and answers in plan order, whoever ends first. Every hook is asked about again on
 * the original and on the current input: a rewrite cannot slip past a guard (design §6).
 */
export function runStage(stage: Stage, original: HookEvent, current: HookEvent, context: StageContext): Promise<HookOutcome[]> {
  return Promise.all(stage.hooks.map((hook) => runOne(hook, original, current, context)));
}

async function runOne(hook: HookDefinition, original: HookEvent, current: HookEvent, context: StageContext): Promise<HookOutcome> {
  const dialect = context.dialects.find((candidate) => candidate.name === hook.dialect) as Dialect;
  const before = selectHook(dialect, hook, original);
  const selection = before.run || original === current ? before : selectHook(dialect, hook, current);
  if (!selection.run) return skippedOutcome({ hook, skipReason: selection.skipReason, reason: selection.reason });
  const once = hook.once ? context.onceRuns?.begin(hook, current.input.session_id) : undefined;
  if (hook.once && context.onceRuns !== undefined && once === undefined)
    return skippedOutcome({ hook, skipReason: 'once', reason: onceReason });
  // A run that is cancelled before it begins has no turn, whatever its circuit would say.
  const { aborted } = hook.async ? context.disposeSignal : context.signal;
  const entrance = aborted ? undefined : context.circuits?.enter(hook, (state) => context.report.circuitChanged(hook, state));
  if (entrance?.refusal !== undefined) {
    once?.ended();
    return leftOut(hook, entrance.refusal, dialect);
  }
  const turn: Turn = {
    started: () => {
      once?.started();
      context.report.started(hook);
    },
    ended: (outcome, isLate) => {
      once?.ended();
      context.report.finished(hook, outcome, isLate);
      entrance?.end(outcome);
    },
  };
  return hook.async ? startDetached(hook, current, context, turn) : runUntilDetached(hook, current, context, turn);
}

/** Its outcome; or as soon as it says that nobody is to wait for it, that, and its end is told late. */
function runUntilDetached(hook: HookDefinition, current: HookEvent, context: StageContext, turn: Turn): Promise<HookOutcome> {
  return new Promise((resolve, reject) => {
    let isDetached = false;
    const began = performance.now();
    const onDetach = ({ warnings = [] }: Detachment) => {
      isDetached = true;
      resolve(detachedOutcome(hook, Math.round(performance.now() - began), warnings));
    };
    runHook(hook, current, context, turn.started, { signal: context.disposeSignal, onDetach })
      .then((outcome) => {
        if (isDetached) return endLate(hook, outcome, turn);
        turn.ended(outcome);
        resolve(outcome);
      })
      .catch(reject);
  });
}

/** Started and not waited for; its end is a progress message, and a deny in it came too late (decision 41). */
function startDetached(hook: HookDefinition, current: HookEvent, context: StageContext, turn: Turn): HookOutcome {
  void runHook(hook, current, { ...context, signal: context.disposeSignal }, turn.started).then((outcome) => endLate(hook, outcome, turn));
  return detachedOutcome(hook, 0, []);
}

function detachedOutcome(hook: HookDefinition, durationMs: number, warnings: readonly HookWarning[]): HookOutcome {
  return { ...outcomeBase(hook), status: 'detached', durationMs, warnings: [...warnings] };
}

function endLate(hook: HookDefinition, outcome: HookOutcome, turn: Turn): void {
  const words = lateWords(outcome);
  const warnings = [...outcome.warnings, ...words.map((message) => ({ code: 'late_answer', message: `${hook.id} ${message}` }))];
  turn.ended({ ...outcome, warnings }, true);
}

/** What an async hook said for nothing. */
function lateWords({ status, failedClosed, output, eventName }: HookOutcome): string[] {
  const isDecision = status === 'blocked' || failedClosed === true || output?.continue === false;
  const { rewrites } = eventEntry(eventName as HookEventName);
  const isRewrite = status === 'succeeded' && rewrites.some(({ field }) => output?.hookSpecificOutput?.[field] !== undefined);
  const isSkip = output?.hookSpecificOutput?.['skipRemaining'] === true;
  return [
    ...(isSkip ? ['skipped the rest of an event that had gone on: an async hook has no effect on it.'] : []),
    ...(isDecision ? ['blocked or stopped after its event had gone on: an async hook cannot decide.'] : []),
    ...(isRewrite ? ['rewrote an event that had gone on: an async hook changes nothing.'] : []),
  ];
}

/** Its circuit is open. Where a failure of the hook would block, so does this; of an async hook neither does. */
function leftOut(hook: HookDefinition, message: string, dialect: Dialect): HookOutcome {
  const warnings = [{ code: 'circuit_open', message }];
  const outcome: HookOutcome = { ...outcomeBase(hook), status: 'skipped', skipReason: 'circuit-open', durationMs: 0, warnings };
  return hook.async ? outcome : applyFailurePolicy(outcome, hook, dialect);
}
