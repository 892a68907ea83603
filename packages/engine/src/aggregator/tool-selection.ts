import { type HookLevel, type HookToolConfig, hookLevels } from '@tenterhook/protocol';
import { mergeToolConfig } from '@tenterhook/protocol/internal';

/** What the hooks of one level selected, e.g. the hooks of the user. Their lists of names are merged. */
interface LevelSelection {
  readonly selected: HookToolConfig;
  /** Whether every hook of the level returned the selection that it received, unchanged. */
  readonly isShown: boolean;
}

/** The tools that the hooks of each level selected. */
export type ToolSelections = ReadonlyMap<HookLevel, LevelSelection>;

/**
 * Adds the selection of one hook to the selection of its level. `isShown` means that the hook returned the selection that it received. This
 * does not change what other hooks of its level selected. Only if no other hook of its level has selected anything, it becomes the
 * selection of the level.
 */
export function withSelection(selections: ToolSelections, level: HookLevel, selected: HookToolConfig, isShown: boolean): ToolSelections {
  const known = selections.get(level);
  if (known !== undefined && isShown) return selections;
  const others = known?.isShown === false ? known.selected : undefined;
  return new Map([...selections, [level, { selected: mergeToolConfig(others, selected), isShown }]]);
}

/**
 * Returns the tools that every level allows, e.g. the hooks of the user and the hooks of the project. A level without a list of names
 * allows all tools. A union was rejected, because a repository could then add a tool that the user had left out.
 */
export function selectionOfAll(selections: ToolSelections): HookToolConfig | undefined {
  const present = hookLevels.map((level) => selections.get(level)?.selected).filter((selected) => selected !== undefined);
  return present.length === 0 ? undefined : present.reduce(narrowed);
}

/**
 * Returns what both levels allow. The stricter mode is used, and NONE empties the list. Fields that the catalogue does not define are
 * taken from the higher level.
 */
function narrowed(lower: HookToolConfig, higher: HookToolConfig): HookToolConfig {
  const [names, others] = [lower.allowedFunctionNames, higher.allowedFunctionNames];
  const both = names !== undefined && others !== undefined ? names.filter((name) => others.includes(name)) : (names ?? others);
  const merged: HookToolConfig = mergeToolConfig(lower, higher);
  return both === undefined || merged.mode === 'NONE' ? merged : { ...merged, allowedFunctionNames: both };
}
