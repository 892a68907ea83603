import type { HookToolConfig } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';

/** The tools that the model may call, and whether it must call one. */
export interface ToolLimits {
  readonly mode: NonNullable<HookToolConfig['mode']>;
  /** Undefined means all tools. */
  readonly names?: readonly string[];
}

/**
 * Returns the limits to write into a request, or undefined if nothing changes. An empty list allows no tool (decision 21). A config without
 * a list keeps the names of the request. If the mode of the request is `NONE`, nothing changes. Otherwise a hook that returns only a list
 * would enable tools again, because a list without a mode means `AUTO`.
 */
export function resolveToolConfig(current: HookToolConfig | undefined, wanted: HookToolConfig): ToolLimits | undefined {
  const before = toLimits(current?.mode, current?.allowedFunctionNames);
  if (before.mode === 'NONE') return undefined;
  const after = toLimits(wanted.mode ?? current?.mode, wanted.allowedFunctionNames ?? current?.allowedFunctionNames);
  return isSame(before, after) ? undefined : after;
}

export function isAllowed(limits: ToolLimits, name: string): boolean {
  return limits.mode !== 'NONE' && (limits.names === undefined || limits.names.includes(name));
}

/** Returns the items that pass the test, or the same list if all pass. */
export function filterItems<Item>(items: readonly Item[], isKept: (item: Item) => boolean): readonly Item[] {
  const kept = items.filter(isKept);
  return kept.length === items.length ? items : kept;
}

/** Returns a tool config with the values that are defined, or undefined if there are none. */
export function toToolConfig(mode: HookToolConfig['mode'], names?: readonly string[]): HookToolConfig | undefined {
  if (mode === undefined && names === undefined) return undefined;
  return omitUndefined({ mode, allowedFunctionNames: names && [...names] });
}

function toLimits(mode: HookToolConfig['mode'] = 'AUTO', names: readonly string[] | undefined): ToolLimits {
  if (mode === 'NONE' || names?.length === 0) return { mode: 'NONE' };
  return names === undefined ? { mode } : { mode, names };
}

function isSame(before: ToolLimits, after: ToolLimits): boolean {
  if (before.mode !== after.mode || (before.names === undefined) !== (after.names === undefined)) return false;
  const names = new Set(before.names);
  return names.size === new Set(after.names).size && (after.names ?? []).every((name) => names.has(name));
}
