import type { Change, HookDefinition, HookEvent, HookOutcome, SkipReason, Stage } from '@tenterhook/protocol';
import { type EarlierRewrite, withKeptRewrite } from '../aggregator/kept-rewrite.js';
import { applyRewrites, applyUnopposed, type PlanState } from '../aggregator/rewrites.js';
import { endsPlan, opinionOf } from '../aggregator/verdict.js';
import { writtenPaths } from '../aggregator/written-paths.js';
import { keyOfHook, keyOfOutcome, rankOf } from '../outcome/hook-key.js';
import { isObeyed } from '../outcome/outcome.js';
import type { StageContext } from '../runner/run-stage.js';
import { runAgain } from './second-run.js';

/** The last rewrite of a hook. */
interface OwnRewrite extends EarlierRewrite {
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
  readonly hasAnswered: boolean;
  /** Whether no hook of a lower level had rewritten the data when the hook ran first. */
  readonly hasSeenOriginal: boolean;
  readonly rewrite?: OwnRewrite;
}

/** Hooks that were skipped for these reasons may be meant for the data that another hook wrote. */
const reconsidered: ReadonlySet<string | undefined> = new Set<SkipReason>(['matcher', 'condition']);

/**
 * The hooks of one event whose data hooks may redact. Two rules hold for the data that are passed on:
 * - They were shown to every hook of a higher level than that of any hook that rewrote them, after this rewrite. A hook that was not shown
 *   them is run again, lower levels first, so that the hook of the highest level sees them last.
 * - What a hook removes stays removed. If a hook finds nothing in what a lower level wrote over its rewrite, the lower level may have
 *   removed only the words that the hook looks for, or something else. So only what both have left is used (`withKeptRewrite`). If the lower
 *   level wrote before the hook ran, the hook is shown the data as they came, too.
 *
 * Without a rewrite by a lower level nothing is run again, except hooks that wrote different values to one path side by side. A hook is run
 * again at most once after its stage, and once or, if lower levels wrote before it, twice at the end of the event.
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
    let settled = applied;
    for (const key of opposed) settled = await this.#showAgain(settled, key, true);
    return settled;
  }

  /** Runs each hook again that was not shown what a hook of a lower level wrote. */
  async finish(state: PlanState): Promise<PlanState> {
    if (state.changes.length === 0) return state;
    const ranked = [...this.#viewers].sort(([, one], [, other]) => rankOf(one.hook) - rankOf(other.hook));
    let settled = state;
    for (const [key, { hook, seen }] of ranked) {
      if (this.#isFromBelow(hook, seen)) settled = await this.#showAgain(settled, key);
      settled = await this.#showOriginal(settled, key);
    }
    return settled;
  }

  /** Runs a hook again on the current data, and applies its answer. `isOpposed`: the data are those of a hook that ran side by side. */
  async #showAgain(state: PlanState, key: string, isOpposed = false): Promise<PlanState> {
    const viewer = this.#viewers.get(key);
    if (viewer === undefined || endsPlan(state.event.eventName, state.outcomes)) return state;
    const { hook, hasAnswered, rewrite } = viewer;
    const outcome = await runAgain({ hook, hasAnswered, isFromBelow: this.#isFromBelow(hook, 0) }, this.#original, state, this.#context);
    // Its condition does not match the new data either.
    if (!hasAnswered && reconsidered.has(outcome.skipReason)) return state;
    const hasFoundNothing = rewrite !== undefined && isObeyed(outcome) && !replaces(outcome, rewrite.outcome, state.event);
    // The deny of a hook that finds nothing any more is not undone by a hook of its level either.
    const isUndone = hasFoundNothing && (this.#isFromBelow(hook, rewrite.at, rewrite.paths) || (isOpposed && isDeny(rewrite.outcome)));
    const counted = isUndone ? withKeptRewrite(outcome, rewrite, state.event) : outcome;
    const next = applyRewrites(state, [counted]);
    this.#attribute(next, [counted]);
    this.#note(hook, [counted], state);
    return next;
  }

  /** Runs a hook on the data as they came, if it has only seen data that a lower level had rewritten, and has found nothing in them. */
  async #showOriginal(state: PlanState, key: string): Promise<PlanState> {
    const { hook, hasAnswered, hasSeenOriginal, rewrite } = this.#viewers.get(key) as Viewer;
    if (hasSeenOriginal || !hasAnswered || rewrite !== undefined || endsPlan(state.event.eventName, state.outcomes)) return state;
    const shown = this.#original;
    const outcome = await runAgain({ hook, hasAnswered, isFromBelow: false }, shown, { ...state, event: shown }, this.#context);
    const next = applyRewrites(state, [isObeyed(outcome) ? withKeptRewrite(outcome, { outcome, shown }, state.event) : outcome]);
    this.#attribute(next, [outcome]);
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
    const paths = writtenPaths(own, shown.event);
    const rewrite = paths.length > 0 ? { outcome: own, shown: shown.event, paths, at: this.#placeOf(own, shown) } : known?.rewrite;
    // What never objects needs to see the final data only if it rewrote them.
    if (hook.recheck === false && rewrite === undefined) return;
    const hasAnswered = isObeyed(own) || known?.hasAnswered === true;
    const seen = shown.changes.length;
    const hasSeenOriginal = known?.hasSeenOriginal ?? !this.#changes.slice(0, seen).some(({ rank }) => rank < rankOf(hook));
    this.#viewers.set(key, { hook, seen, hasAnswered, hasSeenOriginal, ...(rewrite === undefined ? {} : { rewrite }) });
  }

  /** The number of changes of the event after those of the outcome. */
  #placeOf(outcome: HookOutcome, { changes }: PlanState): number {
    const last = this.#changes.findLastIndex(({ hookId, rank }) => hookId === outcome.hookId && rank === rankOf(outcome));
    return Math.max(last + 1, changes.length);
  }

  /** Whether a hook of a lower level made one of the changes from the given one on, at one of these paths. */
  #isFromBelow(hook: HookDefinition, since: number, paths?: readonly string[]): boolean {
    const rank = rankOf(hook);
    return this.#changes
      .slice(since)
      .some((change) => change.rank < rank && (paths === undefined || paths.some((path) => overlaps(path, change.path))));
  }
}

/**
 * Whether the answer to the data shown replaces an earlier rewrite. Data that a hook returns unchanged do not, because it has found nothing
 * in them. A deny that removed the data is replaced only by another deny.
 */
function replaces(answer: HookOutcome, earlier: HookOutcome, shown: HookEvent): boolean {
  return writtenPaths(answer, shown).length > 0 && (isDeny(answer) || !isDeny(earlier));
}

/** Whether the outcome is a deny. Together with a rewrite, it removes data. */
function isDeny(outcome: HookOutcome): boolean {
  return opinionOf(outcome).kind === 'deny';
}

/** Whether one path is the other, or is within it. */
function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}
