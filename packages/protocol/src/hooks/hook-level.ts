/**
 * The levels, the lowest first. A level says who is responsible for a hook: an extension, the project, one developer of the
 * project, the user, or the administrator. Hooks of a lower level can deny what hooks of a higher level allow, but cannot allow
 * what those deny. Settings of a lower level cannot disable hooks of a higher level.
 */
export const hookLevels = ['extension', 'project', 'local', 'user', 'managed'] as const;

/** One of `hookLevels`. */
export type HookLevel = (typeof hookLevels)[number];

/** The level of each source. The key is the part of the source before the colon. */
const levels: ReadonlyMap<string, HookLevel> = new Map([
  ['managed', 'managed'],
  ['system', 'managed'],
  // Handlers are functions of the program, so settings files cannot change or disable them.
  ['handler', 'managed'],
  ['user', 'user'],
  // Settings that the program passes as an object, or whose file was named on the command line.
  ['settings', 'user'],
  ['local', 'local'],
  ['project', 'project'],
  ['extension', 'extension'],
  ['plugin', 'extension'],
]);

/** Returns the level of a source such as `user` or `plugin:<name>`, or undefined if the name is not known. */
export function levelOfSource(source: string): HookLevel | undefined {
  const colon = source.indexOf(':');
  return levels.get(colon === -1 ? source : source.slice(0, colon));
}

/**
 * Returns the level of a hook or of an outcome. A source with an unknown name was registered by the program, so its hooks are
 * `managed`.
 */
export function levelOf({ level, source }: { readonly level?: HookLevel | undefined; readonly source: string }): HookLevel {
  return level ?? levelOfSource(source) ?? 'managed';
}

/** Tests whether the first level is below the second. */
export function isBelow(level: HookLevel, other: HookLevel): boolean {
  return hookLevels.indexOf(level) < hookLevels.indexOf(other);
}

/**
 * Tests whether settings files of a level may come with a repository. Files of an extension may, because its directory may be in
 * the project.
 */
export function isOfRepository(level: HookLevel): boolean {
  return isBelow(level, 'user');
}
