import {
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookOutcome,
  isBelow,
  levelOf,
  type Plan,
  type Stage,
} from '@tenterhook/protocol';
import { outcomeOfSecondRun, withConfirmedAllows } from './aggregator/recheck.js';
import { applyRewrites, applyUnopposed, type PlanState, writes, writtenPaths } from './aggregator/rewrites.js';
import { endsPlan } from './aggregator/verdict.js';
import { keyOfHook, keyOfOutcome, rankOf } from './outcome/hook-key.js';
import { applyFailurePolicy, isObeyed } from './outcome/outcome.js';
import { wasKilled } from './runner/ran-ranks.js';
import { runStage, type StageContext } from './runner/run-stage.js';

/** A hook that rewrote data of the event. */
interface Rewriter {
  readonly hook: HookDefinition;
  readonly paths: Set<string>;
  /** How many of the event's changes the hook has seen or made. */
  seen: number;
}

/**
 * The hooks of one event that rewrite data, on events where a hook may remove parts of the data. Each of these hooks must see the data
 * before they are passed on, and the hook of the highest level sees them last. A hook whose rewrite would be undone is run again on what
 * the other hook wrote. If both ran in the same stage, this happens after the stage; if a hook of a lower level wrote in a later stage, at
 * the end of the event.
 */
export class Rewriters {
  readonly #original: HookEvent;
  readonly #context: StageContext;
  /** By `keyOfHook`. */
  readonly #rewriters = new Map<string, Rewriter>();

  constructor(original: HookEvent, context: StageContext) {
    this.#original = original;
    this.#context = context;
  }

  /** Applies the rewrites of a stage. Hooks that wrote different values to one path are run one after another, the lowest level first. */
  async settle(state: PlanState, { hooks }: Stage, outcomes: readonly HookOutcome[]): Promise<PlanState> {
    const { state: applied, opposed } = applyUnopposed(state, outcomes);
    for (const hook of hooks) this.#note(hook, outcomes, state.event, applied);
    let settled = applied;
    for (const key of opposed) settled = await this.#runAgain(settled, this.#rewriters.get(key));
    return settled;
  }

  /** Runs a hook again if a hook of a lower level wrote over its rewrite in a later stage. */
  async finish(state: PlanState): Promise<PlanState> {
    const ranked = [...this.#rewriters.values()].sort((one, other) => rankOf(one.hook) - rankOf(other.hook));
    let settled = state;
    for (const rewriter of ranked) if (this.#isOverwritten(rewriter, settled)) settled = await this.#runAgain(settled, rewriter);
    return settled;
  }

  #note(hook: HookDefinition, outcomes: readonly HookOutcome[], shown: HookEvent, { changes }: PlanState): void {
    const { rewrites } = eventEntry(shown.eventName);
    const key = keyOfHook(hook);
    const own = outcomes.find((outcome) => keyOfOutcome(outcome) === key);
    if (own === undefined || !rewrites.some((rewrite) => writes(shown.eventName, own, rewrite))) return;
    const paths = this.#rewriters.get(key)?.paths ?? new Set<string>();
    for (const path of writtenPaths(own, shown)) paths.add(path);
    this.#rewriters.set(key, { hook, paths, seen: changes.length });
  }

  #isOverwritten(rewriter: Rewriter, { changes }: PlanState): boolean {
    const { paths, seen } = rewriter;
    return changes
      .slice(seen)
      .some((change) => this.#isLower(change.hookId, rewriter) && [...paths].some((path) => overlaps(path, change.path)));
  }

  /** A change has only the id of its author. If hooks of several levels have this id, it is assumed that the lowest wrote it. */
  #isLower(hookId: string, { hook }: Rewriter): boolean {
    return [...this.#rewriters.values()].some(({ hook: other }) => other.id === hookId && isBelow(levelOf(other), levelOf(hook)));
  }

  async #runAgain(state: PlanState, rewriter: Rewriter | undefined): Promise<PlanState> {
    if (rewriter === undefined || endsPlan(state.event.eventName, state.outcomes)) return state;
    const { hook } = rewriter;
    const context = this.#context;
    // Data that a hook of a lower level wrote must not pass just because this hook fails when it receives them.
    const mustAnswer = state.changes.some(({ hookId }) => this.#isLower(hookId, rewriter));
    const outcomeOf = (outcome: HookOutcome): HookOutcome =>
      wasKilled(outcome) ? { ...outcome, recheck: true } : outcomeOfSecondRun(outcome, hook, mustAnswer);
    const plan: Plan = { stages: [{ hooks: [hook] }], skipped: [], order: [hook] };
    context.report({ kind: 'recheck-planned', plan });
    const recheck = { ran: new Set([keyOfHook(hook)]), outcomeOf };
    const outcomes = await runStage({ hooks: [hook] }, this.#original, state.event, { ...context, recheck });
    const dialect = context.dialects.find(({ name }) => name === hook.dialect);
    const counted = withConfirmedAllows(outcomes, state.outcomes).map((outcome) =>
      // A hook that was skipped, or that detached itself, has not answered, so the failure policy applies to it too.
      isObeyed(outcome) || outcome.failedClosed ? outcome : applyFailurePolicy(outcomeOf(outcome), hook, dialect),
    );
    const next = applyRewrites(state, counted);
    this.#note(hook, counted, state.event, next);
    rewriter.seen = next.changes.length;
    return next;
  }
}

/** Whether one path is the other, or is within it. */
function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}
