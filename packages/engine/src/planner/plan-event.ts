import {
  type Dialect,
  type HookDefinition,
  type HookEvent,
  isBelow,
  levelOf,
  type Plan,
  type Selection,
  type SkippedHook,
  type Stage,
} from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
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
 * Of hooks with the same key one runs: at the place and under the id of the first sure one in order (decision 22), with everything else of the copy
 * of the highest level, whose hook it is: otherwise a repository could run a copy of the user's guard with its own environment.
 * Repeating a guard must not weaken it either: it has `onError: 'block'` if any copy has it, `once`, `mayDetach` and `recheck: false` only if all
 * copies have them. A hook is dropped only for one that is sure to run: of two that are not sure, either may turn out not to match.
 */
export function keepOneOfEach(candidates: readonly Candidate[]): { kept: HookDefinition[]; dropped: SkippedHook[] } {
  const copies = new Map<string, Copies>();
  for (const { hook, isSure } of candidates) if (isSure) copies.set(keyOf(hook), withCopy(copies.get(keyOf(hook)), hook));

  const dropped: SkippedHook[] = [];
  const kept: HookDefinition[] = [];
  for (const { hook, isSure } of candidates) {
    const known = copies.get(keyOf(hook));
    // A copy of a higher level that may turn out to match is not dropped for one of a lower level.
    // Neither is an invalid guard that fails closed: its deny must not depend on a copy without the mistake.
    if (known === undefined || isInvalidGuard(hook) || (!isSure && isBelow(levelOf(known.highest), levelOf(hook)))) kept.push(hook);
    else if (known.first === hook) kept.push(known.all.length === 1 ? hook : mergeCopies(known));
    else dropped.push(duplicateOf(known.first, hook));
  }
  return { kept, dropped };
}

/** The copies of one hook that are sure to run, in order. */
interface Copies {
  readonly first: HookDefinition;
  /** The first of the highest level. */
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

/** Where a hook is. A merged hook is at the place of the first copy, in the plan and for its readers. */
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
    ...(all.every((copy) => copy.recheck === false) && recheck === false ? { recheck } : {}),
    ...strictestOf(all),
  };
}

/**
 * As strict as the strictest copy by itself. Where a copy fails closed, its end at the deadline is a deny, so the shortest deadline of these copies
 * counts; a longer one would let a late allow through. Where all fail open, the longest deadline lets the guard finish.
 */
function strictestOf(copies: readonly HookDefinition[]): Pick<HookDefinition, 'onError' | 'timeoutMs'> {
  const closed = copies.filter(({ onError }) => onError === 'block').map(({ timeoutMs }) => timeoutMs);
  if (closed.length > 0) return { onError: 'block', timeoutMs: closed.reduce((a, b) => Math.min(a, b)) };
  return { onError: 'continue', timeoutMs: copies.map(({ timeoutMs }) => timeoutMs).reduce((a, b) => Math.max(a, b)) };
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
