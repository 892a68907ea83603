import type { HookToolConfig } from '@tenterhook/protocol';

/** Which tools the model may call, and whether it has to. */
export interface ToolLimits {
  readonly mode: NonNullable<HookToolConfig['mode']>;
  /** Undefined: all of them. */
  readonly names?: readonly string[];
}

/**
 * What is to be, given what the request says; undefined when nothing has to change. A list that is there and empty means no tool
 * (decision 21); a config without a list adds no names, and so keeps the restriction the request came with. Where the request itself allows
 * no tool, none is allowed: `NONE` wins, and hooks that only restrict would else bring tools back (a list that comes alone means `AUTO`).
 */
export function resolveToolConfig(current: HookToolConfig | undefined, wanted: HookToolConfig): ToolLimits | undefined {
  const before = limitsOf(current?.mode, current?.allowedFunctionNames);
  if (before.mode === 'NONE') return undefined;
  const after = limitsOf(wanted.mode ?? current?.mode, wanted.allowedFunctionNames ?? current?.allowedFunctionNames);
  return isSame(before, after) ? undefined : after;
}

export function isAllowed(limits: ToolLimits, name: string): boolean {
  return limits.mode !== 'NONE' && (limits.names === undefined || limits.names.includes(name));
}

/** The items the test accepts; the very same list when it accepts all. */
export function filterItems<Item>(items: readonly Item[], isKept: (item: Item) => boolean): readonly Item[] {
  const kept = items.filter(isKept);
  return kept.length === items.length ? items : kept;
}

/** A tool config of these values, without fields that have none. */
export function toolConfigOf(mode: HookToolConfig['mode'], names?: readonly string[]): HookToolConfig | undefined {
  if (mode === undefined && names === undefined) return undefined;
  return { ...(mode === undefined ? {} : { mode }), ...(names === undefined ? {} : { allowedFunctionNames: [...names] }) };
}

function limitsOf(mode: HookToolConfig['mode'] = 'AUTO', names: readonly string[] | undefined): ToolLimits {
  if (mode === 'NONE' || names?.length === 0) return { mode: 'NONE' };
  return names === undefined ? { mode } : { mode, names };
}

function isSame(before: ToolLimits, after: ToolLimits): boolean {
  if (before.mode !== after.mode || (before.names === undefined) !== (after.names === undefined)) return false;
  const names = new Set(before.names);
  return names.size === new Set(after.names).size && (after.names ?? []).every((name) => names.has(name));
}
