import type { Dialect, HookDefinition, HookEvent, HookLevel, Plan, Selection, SkippedHook, Stage } from '@tenterhook/protocol';
import { isBelow, levelOf } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { isUnrunGuard } from '../registry/unrun-guard.js';

/**
 * Returns the plan of an event. Dialects come in the given order. Each dialect decides the order and stages of its own hooks. Pure: the
 * same hooks and the same event give the same plan.
 */
export function planEvent(hooks: readonly HookDefinition[], dialects: readonly Dialect[], event: HookEvent): Plan {
  const stages: Stage[] = [];
  const skipped: SkippedHook[] = [];
  const order: HookDefinition[] = [];
  const reconsidered: HookDefinition[] = [];

  for (const dialect of dialects) {
    const own = ofDialect(hooks, dialect);
    if (own.length === 0) continue;
    order.push(...orderWithin(dialect, own));

    const candidates: { hook: HookDefinition; isSure: boolean }[] = [];
    for (const hook of own) {
      const selection = selectHook(dialect, hook, event);
      if (!selection.run && selection.reconsider) reconsidered.push(hook);
      if (selection.run || selection.reconsider) candidates.push({ hook, isSure: selection.run && selection.undecided !== true });
      else skipped.push({ hook, skipReason: selection.skipReason, reason: selection.reason });
    }
    const { kept, dropped } = keepOneOfEach(candidates);
    skipped.push(...dropped);
    if (kept.length > 0) stages.push(...dialect.layOut(kept));
  }
  return { stages, skipped, order, ...(reconsidered.length === 0 ? {} : { reconsidered }) };
}

/**
 * Returns the hooks of one event in plan order, which does not depend on the input. Dialects come in the given order. Each dialect decides
 * the order of its own hooks.
 */
export function orderHooks(hooks: readonly HookDefinition[], dialects: readonly Dialect[]): HookDefinition[] {
  return dialects.flatMap((dialect) => orderWithin(dialect, ofDialect(hooks, dialect)));
}

function orderWithin(dialect: Dialect, own: readonly HookDefinition[]): HookDefinition[] {
  return own.length === 0 ? [] : dialect.layOut(own).flatMap((stage) => stage.hooks);
}

/** Returns the hooks of a dialect, in their order. */
export function ofDialect(hooks: readonly HookDefinition[], { name }: Dialect): HookDefinition[] {
  return hooks.filter((hook) => hook.dialect === name);
}

/**
 * Returns whether a hook is planned for an event. A hook with `skip` is not planned, unless it denies or asks without running
 * (`isUnrunGuard`). Then it is planned for each event that it may match. Its selection is `undecided`, so that it does not replace a copy
 * of itself that does run.
 */
export function selectHook(dialect: Dialect, hook: HookDefinition, event: HookEvent): Selection {
  if (hook.skip === undefined) return dialect.select(hook, event);
  const { skipReason, reason } = hook.skip;
  if (!isUnrunGuard(hook)) return { run: false, skipReason, reason };
  const selection: Selection = hook.skip.onEveryEvent ? { run: true, reason } : dialect.select(hook, event);
  return selection.run ? { run: true, undecided: true, reason } : selection;
}

/**
 * Selects a hook again before its stage. The hook runs if it matches the original or the current input. Otherwise a rewrite by another
 * hook could bypass a guard.
 */
export function reselect(dialect: Dialect, hook: HookDefinition, original: HookEvent, current: HookEvent): Selection {
  const before = selectHook(dialect, hook, original);
  return before.run || original === current ? before : selectHook(dialect, hook, current);
}

/** A hook that may run. `isSure`: the hook runs, whatever other hooks rewrite. */
export interface Candidate {
  readonly hook: HookDefinition;
  readonly isSure: boolean;
}

/**
 * Keeps one of several copies of a hook, which have the same key (decision 22). The kept hook has the position and the id of the first copy
 * that is sure to run. Everything else is taken from the copy of the highest level, such as the user's copy. Otherwise a repository could
 * run a copy of the user's guard with another environment.
 *
 * A copy must not weaken a guard. The kept hook has `onError: 'block'` if any copy has it. It has `once`, `mayDetach` and `recheck: false`
 * only if all copies have them, and `rewake` if any copy has it. If neither of two copies is sure to run, both are kept, because each may
 * turn out not to match.
 */
export function keepOneOfEach(candidates: readonly Candidate[]): { kept: HookDefinition[]; dropped: SkippedHook[] } {
  const copies = new Map<string, Copies>();
  for (const { hook, isSure } of candidates) if (isSure) copies.set(keyOf(hook), withCopy(copies.get(keyOf(hook)), hook));

  const dropped: SkippedHook[] = [];
  const kept: HookDefinition[] = [];
  for (const { hook, isSure } of candidates) {
    const known = copies.get(keyOf(hook));
    // Two kinds of copies are kept in addition. One is a copy that is not sure to run, if its level is higher than that of the sure
    // copies. The other is a hook that denies or asks without running, because its decision must not depend on another copy.
    if (known === undefined || isUnrunGuard(hook) || (!isSure && isBelow(levelOf(known.highest), levelOf(hook)))) kept.push(hook);
    else if (known.first === hook) kept.push(known.all.length === 1 ? hook : mergeCopies(known));
    else dropped.push(duplicateOf(known.first, hook));
  }
  return { kept, dropped };
}

/** The copies of one hook that are sure to run, in order. */
interface Copies {
  readonly first: HookDefinition;
  /** The first copy of the highest level. */
  readonly highest: HookDefinition;
  readonly all: readonly HookDefinition[];
}

function withCopy(known: Copies | undefined, hook: HookDefinition): Copies {
  if (known === undefined) return { first: hook, highest: hook, all: [hook] };
  const highest = isBelow(levelOf(known.highest), levelOf(hook)) ? hook : known.highest;
  return { ...known, highest, all: [...known.all, hook] };
}

function keyOf(hook: HookDefinition): string {
  return hook.dedupeKey === undefined ? `id ${hook.id}` : `key ${hook.dedupeKey}`;
}

/** Returns the fields that identify a hook and its position. A merged hook gets these fields from its first copy. */
function identityOf({ id, source, file, line, column, path }: HookDefinition) {
  return { id, source, ...omitUndefined({ file, line, column, path }) };
}

function mergeCopies({ first, highest, all }: Copies): HookDefinition {
  const { once, recheck, mayDetach, file: _file, line: _line, column: _column, path: _path, ...rest } = highest;
  return {
    ...rest,
    ...identityOf(first),
    level: levelOf(highest),
    ...(all.every((copy) => copy.once) && once ? { once } : {}),
    ...(all.every((copy) => copy.mayDetach) && mayDetach ? { mayDetach } : {}),
    ...(all.some((copy) => copy.rewake) ? { rewake: true } : {}),
    ...(all.every((copy) => copy.recheck === false) && recheck === false ? { recheck } : {}),
    ...strictestOf(all, levelOf(highest)),
  };
}

/**
 * Returns `onError` and the timeout of the kept hook. `onError` is `block` if any copy has it. The timeout comes from the copies of the
 * highest level, so that a lower level can neither shorten nor extend it.
 * - If some copies of that level have `onError: 'block'`, the shortest timeout of these blocking copies is used. For them a timeout is a
 *   deny, and a longer timeout could turn the deny into a late allow.
 * - Otherwise the longest timeout is used, so that the guard can finish.
 */
function strictestOf(copies: readonly HookDefinition[], highest: HookLevel): Pick<HookDefinition, 'onError' | 'timeoutMs'> {
  const onError = copies.some((copy) => copy.onError === 'block') ? 'block' : 'continue';
  const own = copies.filter((copy) => levelOf(copy) === highest);
  const closed = own.filter((copy) => copy.onError === 'block').map(({ timeoutMs }) => timeoutMs);
  const timeoutMs =
    closed.length > 0 ? closed.reduce((a, b) => Math.min(a, b)) : own.map((copy) => copy.timeoutMs).reduce((a, b) => Math.max(a, b));
  return { onError, timeoutMs };
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
