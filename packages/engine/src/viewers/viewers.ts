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
  /** The number of changes of the event when this rewrite was applied. Changes of lower levels after this number overwrite the rewrite. */
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

/** Reasons after which a skipped hook is selected again, because it may match the data that another hook wrote. */
const reconsidered: ReadonlySet<string | undefined> = new Set<SkipReason>(['matcher', 'condition']);

/**
 * The hooks of an event whose data hooks may redact, that is, remove secrets from. Two rules hold for the data that are passed on:
 * - Every hook has seen what hooks of lower levels wrote. For example, a hook of the user has seen what hooks of a repository wrote. A
 *   hook that has not seen this is run again. Lower levels come first, so that the highest level sees the data last.
 * - What a hook removes stays removed. A hook of a lower level may overwrite the rewrite with data in which this hook finds nothing,
 *   although the secret is still there, for example without the word "password" before it. Then only what both hooks have left is used
 *   (`withKeptRewrite`). If the lower level wrote before the hook ran, the hook is run on the original data too.
 *
 * If no lower level rewrites anything, hooks are run again only if they wrote different values to one path in the same stage. A hook is
 * run again at most once after its stage, and at most twice at the end of the event.
 */
export class Viewers {
  readonly #original: HookEvent;
  readonly #context: StageContext;
  /** The viewers by their keys (`keyOfHook`), in the order in which the hooks first ran. */
  readonly #viewers = new Map<string, Viewer>();
  /**
   * The changes of the event, each with the rank of its hook's level. A change has only the id of its hook, and several hooks of a stage
   * may have this id. Then the lowest of their ranks is used.
   */
  readonly #changes: RankedChange[] = [];

  constructor(original: HookEvent, context: StageContext) {
    this.#original = original;
    this.#context = context;
  }

  /**
   * Applies the rewrites of a stage. Hooks that wrote different values to one path are run again one after another, the lowest level first.
   */
  async settle(state: PlanState, { hooks }: Stage, outcomes: readonly HookOutcome[]): Promise<PlanState> {
    const { state: applied, opposed } = applyUnopposed(state, outcomes);
    this.#attribute(applied, outcomes);
    for (const hook of hooks) this.#note(hook, outcomes, state);
    let settled = applied;
    for (const key of opposed) settled = await this.#showAgain(settled, key, true);
    return settled;
  }

  /** Runs again each hook that has not seen what a hook of a lower level wrote, e.g. a hook of a repository. */
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

  /** Runs a hook again on the current data, and applies its answer. `isOpposed`: a hook of the same stage wrote the data. */
  async #showAgain(state: PlanState, key: string, isOpposed = false): Promise<PlanState> {
    const viewer = this.#viewers.get(key);
    if (viewer === undefined || endsPlan(state.event.eventName, state.outcomes)) return state;
    const { hook, hasAnswered, rewrite } = viewer;
    const outcome = await runAgain({ hook, hasAnswered, isFromBelow: this.#isFromBelow(hook, 0) }, this.#original, state, this.#context);
    // The hook was skipped, and it does not match the new data either.
    if (!hasAnswered && reconsidered.has(outcome.skipReason)) return state;
    const hasFoundNothing = rewrite !== undefined && isObeyed(outcome) && !replaces(outcome, rewrite.outcome, state.event);
    // If the hook had denied and now finds nothing, its deny is kept even if a hook of its own level wrote the new data.
    const isUndone = hasFoundNothing && (this.#isFromBelow(hook, rewrite.at, rewrite.paths) || (isOpposed && isDeny(rewrite.outcome)));
    const counted = isUndone ? withKeptRewrite(outcome, rewrite, state.event) : outcome;
    const next = applyRewrites(state, [counted]);
    this.#attribute(next, [counted]);
    this.#note(hook, [counted], state);
    return next;
  }

  /** Runs a hook on the original data, if the hook rewrote nothing and a lower level had rewritten the data before the hook ran. */
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

  /** Records that the hook has seen the data, and what the hook rewrote. Hooks for which the event does not wait are left out. */
  #note(hook: HookDefinition, outcomes: readonly HookOutcome[], shown: PlanState): void {
    const key = keyOfHook(hook);
    const own = outcomes.find((outcome) => keyOfOutcome(outcome) === key);
    if (own === undefined || own.status === 'detached' || (own.status === 'skipped' && !reconsidered.has(own.skipReason))) return;
    const known = this.#viewers.get(key);
    const paths = writtenPaths(own, shown.event);
    const rewrite = paths.length > 0 ? { outcome: own, shown: shown.event, paths, at: this.#placeOf(own, shown) } : known?.rewrite;
    // A hook that never denies or asks is shown the final data only if it has rewritten them.
    if (hook.recheck === false && rewrite === undefined) return;
    const hasAnswered = isObeyed(own) || known?.hasAnswered === true;
    const seen = shown.changes.length;
    const hasSeenOriginal = known?.hasSeenOriginal ?? !this.#changes.slice(0, seen).some(({ rank }) => rank < rankOf(hook));
    this.#viewers.set(key, { hook, seen, hasAnswered, hasSeenOriginal, ...(rewrite === undefined ? {} : { rewrite }) });
  }

  /** Returns how many changes the event had when the last change of this outcome was applied. */
  #placeOf(outcome: HookOutcome, { changes }: PlanState): number {
    const last = this.#changes.findLastIndex(({ hookId, rank }) => hookId === outcome.hookId && rank === rankOf(outcome));
    return Math.max(last + 1, changes.length);
  }

  /** Whether a hook of a lower level made one of the changes from the index `since` on, at one of the paths. */
  #isFromBelow(hook: HookDefinition, since: number, paths?: readonly string[]): boolean {
    const rank = rankOf(hook);
    return this.#changes
      .slice(since)
      .some((change) => change.rank < rank && (paths === undefined || paths.some((path) => overlaps(path, change.path))));
  }
}

/**
 * Whether a new answer replaces an earlier rewrite. An answer that returns the data unchanged does not. If the earlier answer was a deny
 * that removed the data, only another deny replaces it.
 */
function replaces(answer: HookOutcome, earlier: HookOutcome, shown: HookEvent): boolean {
  return writtenPaths(answer, shown).length > 0 && (isDeny(answer) || !isDeny(earlier));
}

/** Whether the outcome is a deny. A deny with a rewrite removes data. */
function isDeny(outcome: HookOutcome): boolean {
  return opinionOf(outcome).kind === 'deny';
}

/** Whether one path is the other, or is within it. */
function overlaps(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}
