import {
  type AggregatedHookResult,
  createHookOutput,
  type DefaultHookOutput,
  type Dialect,
  describeHook,
  eventEntry,
  type HookDefinition,
  type HookEventName,
  type HookOutcome,
  type HookOutput,
  type Plan,
  type Verdict,
} from '@tenterhook/protocol';
import { freezeDeeply } from '@tenterhook/runtime/json';
import { rankOf } from '../outcome/hook-key.js';
import { hasFailed, hasRun, isObeyed, skippedOutcome } from '../outcome/outcome.js';
import { effectiveRewrites, type PlanState } from './rewrites.js';
import { isStopping, joined, opinionOf, verdictOfOutcomes } from './verdict.js';

/** What the aggregator reads of a dialect: how contexts of its hooks are joined. */
type ContextDialect = Pick<Dialect, 'name' | 'contextSeparator' | 'contextLimit'>;

/** Returns the result of a plan and its outcomes. The aggregator has no clock, so the caller passes `totalDuration`. */
export function aggregate(
  plan: Plan,
  state: PlanState,
  totalDuration: number,
  dialects: readonly ContextDialect[] = [],
): AggregatedHookResult {
  return aggregateOutcomes({ ...state, outcomes: inPlanOrder(plan, state.outcomes) }, totalDuration, dialects);
}

/** The frozen result of a plan in which no hook runs, and a promise that has resolved to it. */
export interface IdleAnswer {
  readonly result: AggregatedHookResult;
  readonly promise: Promise<AggregatedHookResult>;
}

const idleAnswers = new WeakMap<Plan, IdleAnswer>();

/**
 * Returns the answer for a plan in which no hook runs. The answer is built once per plan, so later events cost only a lookup. It is
 * frozen, because all callers share it.
 */
export function aggregateIdle(plan: Plan): IdleAnswer {
  let answer = idleAnswers.get(plan);
  if (answer === undefined) {
    const outcomes = inPlanOrder(plan, []);
    const verdict = verdictOfOutcomes(outcomes);
    const result = freezeDeeply({ success: true, verdict, changes: [], allOutputs: [], outcomes, errors: [], totalDuration: 0 });
    answer = { result, promise: Promise.resolve(result) };
    idleAnswers.set(plan, answer);
  }
  return answer;
}

/** Returns the result for outcomes without a plan, for example those in the details of a failed request. */
export function aggregateOutcomes(state: PlanState, totalDuration: number, dialects: readonly ContextDialect[] = []): AggregatedHookResult {
  const { outcomes } = state;
  const verdict = verdictOfOutcomes(outcomes);
  const finalOutput = mergeOutput(state, verdict, dialects);
  return {
    success: outcomes.every(isHealthy),
    ...(finalOutput === undefined ? {} : { finalOutput }),
    verdict,
    changes: [...state.changes],
    allOutputs: outputsOf(outcomes.filter(({ recheck }) => !recheck)),
    outcomes: [...outcomes],
    errors: outcomes.filter(hasFailed).map((outcome) => ({
      code: outcome.warnings[0]?.code ?? 'hook_failed',
      message: outcome.warnings[0]?.message ?? `Hook ${outcome.hookId} ${outcome.status}.`,
      hookId: outcome.hookId,
    })),
    totalDuration,
  };
}

function outputsOf(outcomes: readonly HookOutcome[]): HookOutput[] {
  return outcomes.map(({ output }) => output).filter((output) => output !== undefined);
}

/**
 * Whether a hook ran without a problem. True for a hook that denies with exit code 0. False for a hook with exit code 2, even if exit code
 * 2 means a deny in its format.
 */
function isHealthy(outcome: HookOutcome): boolean {
  return !hasFailed(outcome) && (outcome.exitCode === undefined || outcome.exitCode === 0);
}

/**
 * Returns one outcome for every configured hook, in plan order, followed by the outcomes of rechecks. Hooks that a deny or a stop kept from
 * running become `skipped`.
 */
function inPlanOrder(plan: Plan, answered: readonly HookOutcome[]): readonly HookOutcome[] {
  if (isInOrder(plan, answered)) return answered;
  const rechecks = answered.filter(({ recheck }) => recheck);
  const byId = new Map<string, HookOutcome>();
  for (const outcome of answered) if (!outcome.recheck) byId.set(outcome.hookId, outcome);
  const skipped = new Map(plan.skipped.map((entry) => [entry.hook.id, entry]));
  const first = plan.order.map((hook: HookDefinition) => {
    const entry = skipped.get(hook.id);
    if (entry !== undefined) return skippedOutcome(entry);
    return (
      byId.get(hook.id) ??
      skippedOutcome({
        hook,
        skipReason: 'chain-ended',
        reason: `${describeHook(hook)} did not run, because an earlier hook blocked, stopped or skipped the rest.`,
      })
    );
  });
  return rechecks.length === 0 ? first : [...first, ...rechecks];
}

/** Whether every hook answered once, in the order of the plan. This is so if all hooks run, and no hook rewrites. */
function isInOrder({ order }: Plan, answered: readonly HookOutcome[]): boolean {
  return answered.length === order.length && answered.every(({ hookId, recheck }, index) => hookId === order[index]?.id && !recheck);
}

/** Fields whose texts are joined on every event. If only the last value were kept, as for other fields, messages would be lost. */
const joinedFields = ['additionalContext', 'userMessage'];
const contextField = 'additionalContext';

/** Fields that concern only one hook. They are in the outcome of that hook and are not merged. */
const perHookFields = new Set(['permissionDecision', 'permissionDecisionReason', 'skipRemaining', 'retryAfterMs']);

/**
 * Merges all outputs into one. The merged output has the fields of the verdict, joined messages, and the values after all rewrites. Every
 * other field has its last value. Outputs of a recheck affect only the verdict. Returns undefined if no hook ran.
 */
export function mergeOutput(state: PlanState, verdict: Verdict, dialects: readonly ContextDialect[] = []): DefaultHookOutput | undefined {
  const { eventName } = state.event;
  if (verdict.kind === 'none' && !state.outcomes.some(hasRun)) return undefined;
  const counted = state.outcomes.filter((outcome) => isObeyed(outcome) && !outcome.recheck);
  const answered = withAnswersOfHighestLevel(counted, state);
  const outputs = outputsOf(answered);

  const isAllowed = eventEntry(eventName).strategy === 'or-decision' && isAllowedBySuccess(state.outcomes);
  const context = joinedContext(answered, dialects);
  const specific = {
    ...mergeSpecific(eventName, outputs, effectiveRewrites(state)),
    ...(context === undefined ? {} : { [contextField]: context }),
  };
  const merged: HookOutput = {
    ...spread(outputs.map(withoutMergedFields)),
    systemMessage: joined(outputs.map((output) => output.systemMessage)),
    suppressOutput: outputs.some((output) => output.suppressOutput === true) ? true : undefined,
    continue: verdict.stop ? false : undefined,
    stopReason: verdict.stopReason,
    decision: verdict.kind === 'none' ? (isAllowed ? 'allow' : undefined) : verdict.kind,
    reason: verdict.reason,
    hookSpecificOutput: Object.keys(specific).length > 0 ? specific : undefined,
  };
  return createHookOutput(eventName, merged);
}

/**
 * Removes `llm_response` from the outputs of hooks that may not answer in place of the model. These are:
 * - hooks of a lower level than a hook that denies, asks or stops. Otherwise a hook of a repository could answer a request that a guard of
 *   the user denies.
 * - hooks that do not deny, if another hook denies.
 * - hooks of a lower level than another hook that may answer.
 */
function withAnswersOfHighestLevel(counted: readonly HookOutcome[], { event, outcomes }: PlanState): readonly HookOutcome[] {
  const hasAnswer = ({ output }: HookOutcome) => (output?.hookSpecificOutput?.['llm_response'] ?? undefined) !== undefined;
  if (event.eventName !== 'BeforeModel' || !counted.some(hasAnswer)) return counted;
  const denies = (outcome: HookOutcome) => opinionOf(outcome).kind === 'deny';
  const isDenied = outcomes.some(denies);
  const objecting = outcomes.filter((outcome) => isStopping(outcome) || opinionOf(outcome).kind === (isDenied ? 'deny' : 'ask'));
  const least = Math.max(0, ...objecting.map(rankOf));
  const answering = counted.filter((outcome) => hasAnswer(outcome) && rankOf(outcome) >= least && (!isDenied || denies(outcome)));
  const highest = Math.max(0, ...answering.map(rankOf));
  return counted.map((outcome) => {
    if (!hasAnswer(outcome) || (answering.includes(outcome) && rankOf(outcome) === highest)) return outcome;
    const { llm_response: _answer, ...rest } = outcome.output?.hookSpecificOutput ?? {};
    return { ...outcome, output: { ...outcome.output, hookSpecificOutput: rest } };
  });
}

/**
 * Merges objects. The last value of each field is kept. Assigning the fields one by one was rejected: if a hook printed a field
 * `__proto__`, the assignment would set the prototype.
 */
function spread(objects: readonly object[]): Record<string, unknown> {
  return Object.fromEntries(objects.flatMap((object) => Object.entries(object)));
}

/**
 * Whether at least one hook succeeded, and no hook blocked, asked or stopped. On events with the strategy `or-decision`, the decision is
 * then `allow` (decision 9).
 */
function isAllowedBySuccess(outcomes: readonly HookOutcome[]): boolean {
  return (
    outcomes.some((outcome) => outcome.status === 'succeeded') &&
    !outcomes.some((outcome) => opinionOf(outcome).kind !== 'none' || isStopping(outcome))
  );
}

/** Returns the fields that no rule merges. Fields that the catalogue does not define are passed on too (decision 7). */
function withoutMergedFields(output: HookOutput): HookOutput {
  const {
    continue: _c,
    stopReason: _s,
    suppressOutput: _o,
    systemMessage: _m,
    decision: _d,
    reason: _r,
    hookSpecificOutput: _h,
    ...rest
  } = output;
  return rest;
}

/** The end of a context that was cut. */
const cutMark = '… [truncated]';

/**
 * Joins the contexts of hooks if their dialects have a separator. Between hooks of different dialects, a line break is the separator.
 * A context above the limit of its dialect is cut. Returns undefined if no dialect has a separator.
 */
function joinedContext(outcomes: readonly HookOutcome[], dialects: readonly ContextDialect[]): string | undefined {
  // Few hooks add a context, and building the maps takes longer than the rest of the merge.
  if (outcomes.every(({ output }) => contextIn(output) === '')) return undefined;
  const separators = new Map(
    dialects.flatMap(({ name, contextSeparator }) => (contextSeparator === undefined ? [] : [[name, contextSeparator]])),
  );
  if (separators.size === 0) return undefined;
  // The number of characters that are left, by dialect.
  const left = new Map(dialects.flatMap(({ name, contextLimit }) => (contextLimit === undefined ? [] : [[name, contextLimit]])));
  let last: string | undefined;
  let text: string | undefined;
  for (const { dialect, output } of outcomes) {
    const context = contextIn(output);
    if (context === '') continue;
    const most = left.get(dialect) ?? Number.POSITIVE_INFINITY;
    // The first context that is cut, or left out as a whole, has the mark.
    if (most < 0) continue;
    left.set(dialect, most - context.length);
    const separator = last === dialect ? (separators.get(dialect) ?? '\n') : '\n';
    const kept = context.length > most ? `${context.slice(0, most)}${cutMark}` : context;
    text = text === undefined ? kept : `${text}${separator}${kept}`;
    last = dialect;
  }
  return text;
}

function contextIn(output: HookOutput | undefined): string {
  const context = output?.hookSpecificOutput?.[contextField];
  return typeof context === 'string' ? context : '';
}

function mergeSpecific(
  eventName: HookEventName,
  outputs: readonly HookOutput[],
  rewrites: Record<string, unknown>,
): Record<string, unknown> {
  if (outputs.length === 0) return rewrites;
  const specifics = outputs.map((output) => output.hookSpecificOutput ?? {});
  const merged: Record<string, unknown> = spread(specifics);
  for (const field of perHookFields) delete merged[field];
  for (const field of joinedFields) {
    const text = joined(specifics.map((specific) => (typeof specific[field] === 'string' ? (specific[field] as string) : undefined)));
    if (text !== undefined) merged[field] = text;
  }
  // The merged output has the values after all rewrites. The rewrites of single hooks are removed, because readers would take them for
  // further values.
  for (const { field } of eventEntry(eventName).rewrites) delete merged[field];
  return { ...merged, ...rewrites };
}
