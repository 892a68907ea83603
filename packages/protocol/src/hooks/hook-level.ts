/**
 * Who answers for a hook, the lowest first: an extension, the project, one developer of the project, the user, the administrator. A lower level can
 * add objections to what a higher one says, and nothing else.
 */
export const hookLevels = ['extension', 'project', 'local', 'user', 'managed'] as const;

/** One of `hookLevels`. */
export type HookLevel = (typeof hookLevels)[number];

/** By the part of a source before the colon. */
const levels: ReadonlyMap<string, HookLevel> = new Map([
  ['managed', 'managed'],
  ['system', 'managed'],
  // Functions of the program: no settings file reaches them.
  ['handler', 'managed'],
  ['user', 'user'],
  // Settings that the program passes, or that are named on the command line.
  ['settings', 'user'],
  ['local', 'local'],
  ['project', 'project'],
  ['extension', 'extension'],
  ['plugin', 'extension'],
]);

/** The level of a source such as `user` or `plugin:<name>`. Undefined for a name that is not known. */
export function levelOfSource(source: string): HookLevel | undefined {
  return levels.get(source.split(':')[0] as string);
}

/** The level of a hook, or of the hook of an outcome. A source with a name of its own is one that the program has brought along. */
export function levelOf({ level, source }: { readonly level?: HookLevel | undefined; readonly source: string }): HookLevel {
  return level ?? levelOfSource(source) ?? 'managed';
}

/** Whether the first level is below the second. */
export function isBelow(level: HookLevel, other: HookLevel): boolean {
  return hookLevels.indexOf(level) < hookLevels.indexOf(other);
}

/** Whether the files of a level may come with a repository. An extension is counted as one that does: its directory may be in the project. */
export function isOfRepository(level: HookLevel): boolean {
  return isBelow(level, 'user');
}
