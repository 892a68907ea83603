import { type HookLevel, type HookToolConfig, hookLevels, mergeToolConfig } from '@tenterhook/protocol';

/** The tools that the hooks of each level selected. Within a level the lists of names are united. */
export type ToolSelections = ReadonlyMap<HookLevel, HookToolConfig>;

/** Adds the selection of one hook to that of its level. */
export function withSelection(selections: ToolSelections, level: HookLevel, selected: HookToolConfig): ToolSelections {
  return new Map([...selections, [level, mergeToolConfig(selections.get(level), selected)]]);
}

/**
 * The tools that every level allows. A union of all levels was rejected, because a repository could then add a tool that the user had left
 * out. A level without a list of names allows all tools.
 */
export function selectionOfAll(selections: ToolSelections): HookToolConfig | undefined {
  const present = hookLevels.map((level) => selections.get(level)).filter((selected) => selected !== undefined);
  return present.length === 0 ? undefined : present.reduce(narrowed);
}

/**
 * What both levels allow. The modes are merged as within a level: the most restrictive one wins, and NONE empties the list. For fields that
 * the catalogue does not define, the value of the higher level is used.
 */
function narrowed(lower: HookToolConfig, higher: HookToolConfig): HookToolConfig {
  const [names, others] = [lower.allowedFunctionNames, higher.allowedFunctionNames];
  const both = names !== undefined && others !== undefined ? names.filter((name) => others.includes(name)) : (names ?? others);
  const merged: HookToolConfig = mergeToolConfig(lower, higher);
  return both === undefined || merged.mode === 'NONE' ? merged : { ...merged, allowedFunctionNames: both };
}
