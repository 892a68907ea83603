import type { HookToolConfig } from '@tenterhook/protocol';

/** Which tools the model may call, and whether it has to. */
export interface ToolSelection {
  readonly mode: NonNullable<HookToolConfig['mode']>;
  /** Undefined: all of them. */
  readonly names?: readonly string[];
}

/**
 * What is to be, given what the request says; undefined when nothing has to change. A list that is there and empty means no tool
 * (decision 21); a config without a list adds no names, and so keeps the restriction the request came with.
 */
export function selectTools(current: HookToolConfig | undefined, wanted: HookToolConfig): ToolSelection | undefined {
  const before = selectionOf(current?.mode, current?.allowedFunctionNames);
  const after = selectionOf(wanted.mode ?? current?.mode, wanted.allowedFunctionNames ?? current?.allowedFunctionNames);
  return isSame(before, after) ? undefined : after;
}

export function isSelected(selection: ToolSelection, name: string): boolean {
  return selection.mode !== 'NONE' && (selection.names === undefined || selection.names.includes(name));
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

function selectionOf(mode: HookToolConfig['mode'] = 'AUTO', names: readonly string[] | undefined): ToolSelection {
  if (mode === 'NONE' || names?.length === 0) return { mode: 'NONE' };
  return names === undefined ? { mode } : { mode, names };
}

function isSame(before: ToolSelection, after: ToolSelection): boolean {
  if (before.mode !== after.mode || (before.names === undefined) !== (after.names === undefined)) return false;
  const names = new Set(before.names);
  return names.size === new Set(after.names).size && (after.names ?? []).every((name) => names.has(name));
}
