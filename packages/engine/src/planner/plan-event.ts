import type { Dialect, HookDefinition, HookEvent, Plan, Selection, SkippedHook, Stage } from '@tenterhook/protocol';
import { isInvalidGuard } from '../registry/invalid-guard.js';

/**
 * The plan of an event: dialect by dialect in the given order, and within a dialect in its own order and stages (design §6).
 * Pure: the same hooks and event give the same plan. The set of hooks is fixed when the event starts.
 */
export function planEvent(hooks: readonly HookDefinition[], dialects: readonly Dialect[], event: HookEvent): Plan {
  const stages: Stage[] = [];
  const skipped: SkippedHook[] = [];
  const order: HookDefinition[] = [];

  for (const dialect of dialects) {
    const own = ofDialect(hooks, dialect);
    if (own.length === 0) continue;
    order.push(...orderWithin(dialect, own));

    const candidates: { hook: HookDefinition; isSure: boolean }[] = [];
    for (const hook of own) {
      const selection = selectHook(dialect, hook, event);
      if (selection.run || selection.reconsider) candidates.push({ hook, isSure: selection.run && selection.undecided !== true });
      else skipped.push({ hook, skipReason: selection.skipReason, reason: selection.reason });
    }
    const { kept, dropped } = keepOneOfEach(candidates);
    skipped.push(...dropped);
    if (kept.length > 0) stages.push(...dialect.layOut(kept));
  }
  return { stages, skipped, order };
}

/** Hooks of one event in plan order, whatever the event holds: dialect by dialect in the given order, inside one in its own. */
export function orderHooks(hooks: readonly HookDefinition[], dialects: readonly Dialect[]): HookDefinition[] {
  return dialects.flatMap((dialect) => orderWithin(dialect, ofDialect(hooks, dialect)));
}

function orderWithin(dialect: Dialect, own: readonly HookDefinition[]): HookDefinition[] {
  return own.length === 0 ? [] : dialect.layOut(own).flatMap((stage) => stage.hooks);
}

/** The hooks of a dialect, in their order. */
export function ofDialect(hooks: readonly HookDefinition[], { name }: Dialect): HookDefinition[] {
  return hooks.filter((hook) => hook.dialect === name);
}

/**
 * Whether a hook runs. `select` is not called for a hook that is known not to run, except for an invalid one that fails closed: it has its turn where
 * it would have run, to deny. It is not sure, so that no copy of it is dropped in its favor.
 */
export function selectHook(dialect: Dialect, hook: HookDefinition, event: HookEvent): Selection {
  if (hook.skip === undefined) return dialect.select(hook, event);
  const { skipReason, reason } = hook.skip;
  if (!isInvalidGuard(hook)) return { run: false, skipReason, reason };
  const selection = dialect.select(hook, event);
  return selection.run ? { run: true, undecided: true, reason } : selection;
}

/**
 * Selects again before the stage of the hook, on the original and on the current input. A match on either runs it: a rewrite by another hook
 * must not bypass a guard (design §6).
 */
export function reselect(dialect: Dialect, hook: HookDefinition, original: HookEvent, current: HookEvent): Selection {
  const before = selectHook(dialect, hook, original);
  return before.run || original === current ? before : selectHook(dialect, hook, current);
}

/** A hook that may run. `isSure`: it runs whatever other hooks rewrite. */
export interface Candidate {
  readonly hook: HookDefinition;
  readonly isSure: boolean;
}

/**
 * Of hooks with the same key one runs: the first sure one in order (decision 22). It gets the longest timeout of the copies, `onError: 'block'` if
 * any copy has it, `once` and `recheck: false` only if all copies have them: repeating a guard must not weaken it. A hook is dropped only for one that is sure to
 * run: of two that are not sure, either may turn out not to match.
 */
export function keepOneOfEach(candidates: readonly Candidate[]): { kept: HookDefinition[]; dropped: SkippedHook[] } {
  const keepers = new Map<string, HookDefinition>();
  for (const { hook, isSure } of candidates) if (isSure && !keepers.has(keyOf(hook))) keepers.set(keyOf(hook), hook);

  const dropped: SkippedHook[] = [];
  const kept: HookDefinition[] = [];
  const strengthened = new Map(keepers);
  for (const { hook } of candidates) {
    const keeper = keepers.get(keyOf(hook));
    if (keeper === undefined || keeper === hook) kept.push(hook);
    else {
      strengthened.set(keyOf(hook), strongerOf(strengthened.get(keyOf(hook)) as HookDefinition, hook));
      dropped.push(duplicateOf(keeper, hook));
    }
  }
  return {
    kept: kept.map((hook) => (keepers.get(keyOf(hook)) === hook ? (strengthened.get(keyOf(hook)) as HookDefinition) : hook)),
    dropped,
  };
}

function keyOf(hook: HookDefinition): string {
  return hook.dedupeKey === undefined ? `id ${hook.id}` : `key ${hook.dedupeKey}`;
}

function strongerOf(kept: HookDefinition, copy: HookDefinition): HookDefinition {
  const onError = kept.onError === 'block' || copy.onError === 'block' ? 'block' : 'continue';
  const { once, recheck, ...rest } = kept;
  const runsOnce = once && copy.once ? { once } : {};
  const isUnchecked = recheck === false && copy.recheck === false ? { recheck } : {};
  return { ...rest, ...runsOnce, ...isUnchecked, timeoutMs: Math.max(kept.timeoutMs, copy.timeoutMs), onError };
}

function duplicateOf(kept: HookDefinition, hook: HookDefinition): SkippedHook {
  const where = kept.file === undefined ? '' : ` in ${kept.file}`;
  return {
    hook,
    skipReason: 'duplicate',
    duplicateOf: kept.id,
    reason: `It is a duplicate of ${kept.id}${where}, which runs instead.`,
  };
}
