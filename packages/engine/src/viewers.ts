import {
  type Change,
  type Dialect,
  describeHook,
  type HookDefinition,
  type HookEvent,
  type HookOutcome,
  type Plan,
  type SkipReason,
  type Stage,
} from '@tenterhook/protocol';
import { outcomeOfSecondRun, withConfirmedAllows, withKeptRewrite } from './aggregator/recheck.js';
import { applyRewrites, applyUnopposed, type PlanState, writesAnything, writtenPaths } from './aggregator/rewrites.js';
import { endsPlan, opinionOf } from './aggregator/verdict.js';
import { keyOfHook, keyOfOutcome, rankOf } from './outcome/hook-key.js';
import { applyFailurePolicy, isObeyed, outcomeBase } from './outcome/outcome.js';
import { wasKilled } from './runner/ran-ranks.js';
import { runStage, type StageContext } from './runner/run-stage.js';

/** The last rewrite of a hook. */
interface OwnRewrite {
  readonly outcome: HookOutcome;
  readonly paths: readonly string[];
  /** The number of changes of the event when the rewrite was applied. What a lower level changes later overwrites it. */
  readonly at: number;
}

interface RankedChange extends Change {
  readonly rank: number;
}

/** A hook to which the final data must be shown. */
interface Viewer {
  readonly hook: HookDefinition;
  /** How many of the event's changes the hook has seen. */
  readonly seen: number;
  /** Whether the hook has answered. If it has only failed so far, its `onError` decides about a second failure too. */
  readonly hasAnswered: boolean;
  readonly rewrite?: OwnRewrite;
}

/** Hooks that were skipped for these reasons may be meant for the data that another hook wrote. */
const reconsidered: ReadonlySet<string | undefined> = new Set<SkipReason>(['matcher', 'condition']);

/**
 * The hooks of one event whose data hooks may redact. Two rules hold for the data that are passed on:
 * - They were shown to every hook of a higher level than that of any hook that rewrote them, after this rewrite. A hook that was not shown
 *   them is run again, lower levels first, so that the hook of the highest level sees them last.
 * - What a hook wrote is not lost because of a lower level. If the hook finds nothing in what a lower level wrote over it, the other hook
 *   may have removed only the words that it looks for. So its earlier rewrite is used.
 *
 * Without a rewrite by a lower level nothing is run again, except hooks that wrote different values to one path side by side. A hook is run
 * again at most once after its stage, once at the end of the event, and once for each hook whose earlier rewrite is used.
 */
export class Viewers {
  readonly #original: HookEvent;
  readonly #context: StageContext;
  /** By `keyOfHook`, in the order in which the hooks ran first. */
  readonly #viewers = new Map<string, Viewer>();
  /** The changes of the event, with the rank of the hook that made each. If several hooks of a stage have its id, the lowest rank. */
  readonly #changes: RankedChange[] = [];

  constructor(original: HookEvent, context: StageContext) {
    this.#original = original;
    this.#context = context;
  }

  /** Applies the rewrites of a stage. Hooks that wrote different values to one path are run one after another, the lowest level first. */
  async settle(state: PlanState, { hooks }: Stage, outcomes: readonly HookOutcome[]): Promise<PlanState> {
    const { state: applied, opposed } = applyUnopposed(state, outcomes);
    this.#attribute(applied, outcomes);
    for (const hook of hooks) this.#note(hook, outcomes, state);
    return this.#runAgain(applied, opposed);
  }

  /** Runs each hook again that was not shown what a hook of a lower level wrote. */
  async finish(state: PlanState): Promise<PlanState> {
    if (state.changes.length === 0) return state;
    const ranked = [...this.#viewers].sort(([, one], [, other]) => rankOf(one.hook) - rankOf(other.hook));
    let settled = state;
    for (const [index, [key, viewer]] of ranked.entries()) {
      if (!this.#isFromBelow(viewer, viewer.seen)) continue;
      const later = ranked.slice(index + 1).filter(([, other]) => this.#isFromBelow(other, other.seen));
      settled = await this.#runOnceMore(settled, key, new Set(later.map(([other]) => other)));
    }
    return settled;
  }

  async #runAgain(state: PlanState, keys: readonly string[]): Promise<PlanState> {
    let settled = state;
    for (const [index, key] of keys.entries()) settled = await this.#runOnceMore(settled, key, new Set(keys.slice(index + 1)));
    return settled;
  }

  /** Shows the data to a hook once more, and applies its answer. `pending`: the hooks that are run again after it. */
  async #runOnceMore(state: PlanState, key: string, pending: ReadonlySet<string>): Promise<PlanState> {
    const viewer = this.#viewers.get(key);
    if (viewer === undefined || endsPlan(state.event.eventName, state.outcomes)) return state;
    const [outcome] = await this.#run(state, viewer);
    // Its condition does not match the new data either.
    if (outcome === undefined || (!viewer.hasAnswered && reconsidered.has(outcome.skipReason))) return state;
    const kept = this.#isUndone(viewer, outcome) ? viewer.rewrite : undefined;
    const counted = kept === undefined ? outcome : withKeptRewrite(outcome, kept.outcome);
    const next = this.#apply(state, [counted]);
    this.#note(viewer.hook, [counted], state);
    return kept === undefined || next.changes.length === state.changes.length ? next : this.#askOthers(next, viewer, pending);
  }

  /** Whether a hook of a lower level wrote over the hook's rewrite, and the answer to that does not take its place. */
  #isUndone({ hook, rewrite }: Viewer, outcome: HookOutcome): boolean {
    if (rewrite === undefined || !isObeyed(outcome)) return false;
    const isAnswered = writesAnything(this.#original.eventName, outcome) && (isDeny(outcome) || !isDeny(rewrite.outcome));
    return !isAnswered && this.#isFromBelow({ hook }, rewrite.at, rewrite.paths);
  }

  /**
   * The earlier rewrite of a hook is used, which may have been made from data that other hooks had not rewritten. If one of them finds
   * something in it, there is no value that all of them accept, so the data are withheld. Not asked are hooks of higher levels, which are
   * shown the data later, and those of the lowest level, whose rewrite was rejected: a hook that always writes would deny every event.
   */
  async #askOthers(state: PlanState, { hook }: Viewer, pending: ReadonlySet<string>): Promise<PlanState> {
    const lowest = Math.min(...this.#changes.map(({ rank }) => rank));
    let asked = state;
    for (const [key, other] of this.#viewers) {
      const rank = rankOf(other.hook);
      const isAsked = other.rewrite !== undefined && rank > lowest && rank <= rankOf(hook);
      if (!isAsked || key === keyOfHook(hook) || pending.has(key)) continue;
      const [outcome] = await this.#run(asked, other);
      if (outcome === undefined) continue;
      const next = applyRewrites(asked, [outcome]);
      if (isObeyed(outcome) && next.changes.length === asked.changes.length) {
        asked = next;
        continue;
      }
      const message = `${describeHook(hook)} and ${describeHook(other.hook)} remove parts of the same data, and neither accepts what the other one leaves.`;
      const failed: HookOutcome = {
        ...outcomeBase(hook),
        status: 'failed',
        durationMs: 0,
        recheck: true,
        warnings: [{ code: 'rewrite_unchecked', message }],
      };
      return this.#apply(asked, [outcome, applyFailurePolicy(failed, hook, this.#dialectOf(hook))]);
    }
    return asked;
  }

  /** Runs a hook alone on the current data. */
  async #run(state: PlanState, { hook, hasAnswered }: Viewer): Promise<HookOutcome[]> {
    const context = this.#context;
    // A hook that could answer before must answer what a lower level wrote: the data must not pass only because it fails on them.
    const mustAnswer = hasAnswered && this.#isFromBelow({ hook }, 0);
    const asked: HookDefinition = mustAnswer ? { ...hook, onError: 'block' } : hook;
    const outcomeOf = (outcome: HookOutcome): HookOutcome =>
      wasKilled(outcome) ? { ...outcome, recheck: true } : outcomeOfSecondRun(outcome, asked, mustAnswer);
    const plan: Plan = { stages: [{ hooks: [hook] }], skipped: [], order: [hook] };
    context.report({ kind: 'recheck-planned', plan });
    const recheck = { ran: new Set([keyOfHook(hook)]), outcomeOf };
    const outcomes = await runStage({ hooks: [asked] }, this.#original, state.event, { ...context, recheck });
    return withConfirmedAllows(outcomes, state.outcomes).map((outcome) => {
      if (isObeyed(outcome) || outcome.failedClosed || (!hasAnswered && outcome.status === 'skipped')) return outcome;
      // A hook that was skipped, or that detached itself, has not answered, so the failure policy applies to it too.
      return applyFailurePolicy(outcomeOf(outcome), asked, this.#dialectOf(hook));
    });
  }

  #apply(state: PlanState, outcomes: readonly HookOutcome[]): PlanState {
    const next = applyRewrites(state, outcomes);
    this.#attribute(next, outcomes);
    return next;
  }

  #attribute({ changes }: PlanState, outcomes: readonly HookOutcome[]): void {
    for (const change of changes.slice(this.#changes.length)) {
      const authors = outcomes.filter(({ hookId }) => hookId === change.hookId);
      this.#changes.push({ ...change, rank: Math.min(...authors.map(rankOf)) });
    }
  }

  /** Notes that the hook was shown the data, and what it rewrote. Hooks for which the event does not wait are left out. */
  #note(hook: HookDefinition, outcomes: readonly HookOutcome[], shown: PlanState): void {
    const key = keyOfHook(hook);
    const own = outcomes.find((outcome) => keyOfOutcome(outcome) === key);
    if (own === undefined || own.status === 'detached' || (own.status === 'skipped' && !reconsidered.has(own.skipReason))) return;
    const known = this.#viewers.get(key);
    const rewrite = writesAnything(shown.event.eventName, own) ? this.#rewriteOf(own, shown) : known?.rewrite;
    // What never objects needs to see the final data only if it rewrote them.
    if (hook.recheck === false && rewrite === undefined) return;
    const hasAnswered = isObeyed(own) || known?.hasAnswered === true;
    this.#viewers.set(key, { hook, seen: shown.changes.length, hasAnswered, ...(rewrite === undefined ? {} : { rewrite }) });
  }

  #rewriteOf(outcome: HookOutcome, { event, changes }: PlanState): OwnRewrite {
    const last = this.#changes.findLastIndex(({ hookId, rank }) => hookId === outcome.hookId && rank === rankOf(outcome));
    return { outcome, paths: writtenPaths(outcome, event), at: Math.max(last + 1, changes.length) };
  }

  /** Whether a hook of a lower level made one of the changes from the given one on, at one of these paths. */
  #isFromBelow({ hook }: Pick<Viewer, 'hook'>, since: number, paths?: readonly string[]): boolean {
    const rank = rankOf(hook);
    return this.#changes
      .slice(since)
      .some((change) => change.rank < rank && (paths === undefined || paths.some((path) => overlaps(path, change.path))));
  }

  #dialectOf({ dialect }: HookDefinition): Dialect | undefined {
    return this.#context.dialects.find(({ name }) => name === dialect);
  }
}

/** Whether the outcome is a deny. Together with a rewrite, it removes data. */
function isDeny(outcome: HookOutcome): boolean {
  return opinionOf(outcome).kind === 'deny';
}

/** Whether one path is the other, or is within it. */
function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}
